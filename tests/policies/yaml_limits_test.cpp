#include "policies/yaml_limits.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

RuleLimits read(std::string const& text, Problems& problems) {
  auto const root = parse_yaml("p", text, problems);
  return root ? read_limits(*root, problems) : RuleLimits{};
}

void bad(std::string const& text, std::string_view advice) {
  Problems problems;
  read(text, problems);
  ASSERT_FALSE(problems.empty()) << text;
  EXPECT_NE(problems.front().what.find(advice), std::string::npos) << text << " gave " << problems.front().what;
}

TEST(ReadLimits, ReadsSizesAndCounts) {
  Problems problems;
  auto const limits = read("{request_body: 64KiB, upload: 10MiB, requests_per_minute: 600, connections: 64}", problems);
  EXPECT_EQ(limits, (RuleLimits{65536, 10485760, 600, 64}));
  EXPECT_EQ(read("{upload: 1}", problems), (RuleLimits{std::nullopt, 1, std::nullopt, std::nullopt}));
  EXPECT_TRUE(problems.empty());
}

TEST(ReadLimits, RefusesWhatCannotBeCounted) {
  bad("{}", "is empty");
  bad("{request_body: 1MB}", "not a size");
  bad("{upload: 0}", "not a size");
  bad("{connections: 0}", "write action: deny");
  bad("{connections: -1}", "not a number");
  bad("{requests_per_minute: 1.5}", "not a number");
  bad("{requests_per_minute: 1000001}", "not a number");
  bad("{uplod: 1}", "did you mean 'upload'?");
}

}  // namespace
}  // namespace sallyport::policies
