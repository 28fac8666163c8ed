#include "policies/duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view text, std::int64_t milliseconds) {
  auto const duration = parse_duration(text);
  ASSERT_TRUE(duration) << text;
  EXPECT_EQ(duration->count(), milliseconds) << text;
  EXPECT_EQ(parse_duration(duration_text(*duration)).value(), *duration) << duration_text(*duration);
}
void bad(std::string_view text) {
  auto const duration = parse_duration(text);
  ASSERT_FALSE(duration) << text;
  EXPECT_EQ(duration.error().code, Code::invalid) << text;
  EXPECT_THAT(duration.error().what, ::testing::HasSubstr("write 500ms, 30s, 5m or 1h")) << text;
}

TEST(Duration, ADurationIsANumberAndAUnit) {
  ok("1ms", 1);
  ok("500ms", 500);
  ok("30s", 30'000);
  ok("5m", 300'000);
  ok("1h", 3'600'000);
  ok("007s", 7'000);
}

TEST(Duration, IsWrittenInItsLargestUnit) {
  EXPECT_EQ(duration_text(std::chrono::minutes(90)), "90m");
  EXPECT_EQ(duration_text(std::chrono::hours(2)), "2h");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(1500)), "1500ms");
}

TEST(Duration, AnythingElseIsNoDuration) {
  bad("");
  bad("s");
  bad("30");
  bad("30 s");
  bad(" 30s");
  bad("30s ");
  bad("1h30m");
  bad("1.5s");
  bad("+1s");
  bad("1S");
  bad("1d");
  bad("0x10s");
}

TEST(Duration, ALimitOfNothingAndAnEndlessOneAreNoLimits) {
  bad("0s");
  bad("-1s");
  ok("1000h", 3'600'000'000);
  bad("1001h");
  bad("9223372036854775807h");
  bad("99999999999999999999s");
}

}  // namespace
}  // namespace sallyport::policies
