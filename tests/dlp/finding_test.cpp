#include "dlp/finding.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sallyport::dlp {
namespace {

TEST(Finding, EveryCodingHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Coding::brotli); ++i) names.insert(to_string(static_cast<Coding>(i)));
  EXPECT_EQ(static_cast<std::size_t>(Coding::brotli) + 1, names.size());
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(Finding, LimitIsAFindingThatCountsAsSure) {
  EXPECT_EQ("decode-limit", decode_limit_at(7).detector);
  EXPECT_EQ(7u, decode_limit_at(7).offset);
  EXPECT_EQ(Certainty::verified, decode_limit_at(7).certainty);
}

}  // namespace
}  // namespace sallyport::dlp
