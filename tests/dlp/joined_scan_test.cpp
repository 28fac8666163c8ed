#include "dlp/joined_scan.hpp"

#include "detector_cases.hpp"
#include "dlp/limits.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::builtin_setup;
using test::example;

std::string split_secret() {
  auto const token = example("ghp_<b62*30><crc62>");
  return R"({"a":")" + token.substr(0, 18) + R"(","b":")" + token.substr(18) + R"("})";
}

TEST(JoinedScan, FindsWhatIsSpreadOverValues) {
  JoinedScan joined(builtin_setup());
  joined.feed(split_secret());
  EXPECT_EQ(joined.clear_up_to(), 0U) << "nothing may go before it is judged";
  joined.finish();
  auto const found = joined.take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].detector, "github-pat");
  EXPECT_EQ(found[0].offset, 6U);
  EXPECT_EQ(joined.clear_up_to(), split_secret().size());
}

TEST(JoinedScan, FindsItWhereverItStandsInALongStream) {
  for (std::size_t before : {kMaxJoined - 40, kMaxJoined - kJoinedOverlap, 3 * kMaxJoined}) {
    std::string message(before, '-');
    message += split_secret() + std::string(1000, '-');
    JoinedScan joined(builtin_setup());
    std::vector<Finding> found;
    for (std::size_t at = 0; at < message.size(); at += 7000) {
      joined.feed(std::string_view(message).substr(at, 7000));
      for (auto& each : joined.take_findings()) found.push_back(std::move(each));
      EXPECT_LE(joined.clear_up_to(), found.empty() ? before : message.size()) << "a secret was clear before it was found";
    }
    joined.finish();
    for (auto& each : joined.take_findings()) found.push_back(std::move(each));
    ASSERT_FALSE(found.empty()) << before;
    EXPECT_EQ(found[0].offset, before + 6);
  }
}

TEST(JoinedScan, PlainTextHoldsNothing) {
  JoinedScan joined(builtin_setup());
  joined.feed("a=1&b=2");
  joined.finish();
  EXPECT_TRUE(joined.take_findings().empty());
}

}  // namespace
}  // namespace sallyport::dlp
