#include "proxy/token.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

using namespace std::string_view_literals;

TEST(Token, TakesExactlyTheTcharsOfRfc9110) {
  std::string accepted;
  for (int c = 0; c < 256; ++c) {
    if (is_token(std::string(1, static_cast<char>(c)))) accepted += static_cast<char>(c);
  }
  EXPECT_EQ(accepted, "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~");
  EXPECT_FALSE(is_token(""));
  EXPECT_FALSE(is_token("a b"));
}

TEST(Token, FieldContentHasNoControlBytesButTab) {
  for (int c = 0; c < 256; ++c) {
    bool const control = (c < 0x20 && c != '\t') || c == 0x7f;
    EXPECT_EQ(is_field_content(std::string(1, static_cast<char>(c))), !control) << c;
  }
  EXPECT_TRUE(is_field_content(""));
}

TEST(Token, VisibleAsciiHasNoSpaceAndNoHighBytes) {
  for (int c = 0; c < 256; ++c)
    EXPECT_EQ(is_visible_ascii(std::string(1, static_cast<char>(c))), c > 0x20 && c < 0x7f) << c;
  EXPECT_FALSE(is_visible_ascii(""));
}

TEST(Token, ComparesAsciiWithoutCaseAndNothingElse) {
  EXPECT_TRUE(equal_no_case("Content-LENGTH", "content-length"));
  EXPECT_FALSE(equal_no_case("host", "hos"));
  EXPECT_FALSE(equal_no_case("@", "`"));  // differ by 0x20 as letters do
  EXPECT_FALSE(equal_no_case("[", "{"));
  EXPECT_FALSE(equal_no_case("\xc4"sv, "\xe4"sv));
}

TEST(Token, TrimsSpaceAndTabOnly) {
  EXPECT_EQ(trim_white_space(" \t a b\t "), "a b");
  EXPECT_EQ(trim_white_space(" \t "), "");
  EXPECT_EQ(trim_white_space("\va"), "\va");
}

TEST(Token, VisitsListElementsAndSkipsEmptyOnes) {
  std::vector<std::string> seen;
  for_each_element(" a, ,b\t,,c d ", [&](std::string_view element) { seen.emplace_back(element); });
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "b", "c d"}));
}

}  // namespace
}  // namespace sallyport::proxy
