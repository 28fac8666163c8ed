#include "policies/quote.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

TEST(InQuotes, LeavesPrintableAsciiAlone) { EXPECT_EQ(in_quotes("a b'c"), "'a b'c'"); }

TEST(InQuotes, EscapesWhatCouldForgeALineOrColourATerminal) {
  EXPECT_EQ(in_quotes("a\nb\x1b[31m\x7f"), "'a\\x0ab\\x1b[31m\\x7f'");
  EXPECT_EQ(in_quotes(std::string_view("\0\xff", 2)), "'\\x00\\xff'");
}

TEST(InQuotes, CutsLongText) {
  EXPECT_EQ(in_quotes(std::string(100, 'a')), "'" + std::string(100, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(101, 'a')), "'" + std::string(100, 'a') + "…'");
}

}  // namespace
}  // namespace sallyport::policies
