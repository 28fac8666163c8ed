#include "dlp/stream_scan.hpp"

#include "detector_cases.hpp"
#include "dlp/limits.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(StreamScan, OffsetsCountFromTheStartOfTheStream) {
  auto rules = RuleSet::builtin();
  KnownValues none;
  DecodeBudget budget;
  FindingLog log("salt");
  StreamScan stream({*rules, none, budget, log}, {});
  stream.feed(std::string(500'000, ' '));
  stream.feed(test::example("ghp_<b62*30><crc62>"));
  stream.finish();
  auto findings = log.take();
  ASSERT_EQ(1u, findings.size());
  EXPECT_EQ(500'000u, findings[0].offset);
}

TEST(StreamScan, HoldsBackNoMoreThanABlockAndWhatIsSeenBehindIt) {
  auto rules = RuleSet::builtin();
  KnownValues none;
  DecodeBudget budget;
  FindingLog log("salt");
  StreamScan stream({*rules, none, budget, log}, {});
  std::uint64_t fed = 0;
  for (int i = 0; i < 400; ++i, fed += 1000) {
    stream.feed(std::string(1000, 'x'));
    ASSERT_LE(fed + 1000 - stream.clear_up_to(), kBlockBytes + kLookAhead);
  }
}

}  // namespace
}  // namespace sallyport::dlp
