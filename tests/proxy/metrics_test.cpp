#include "proxy/metrics.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

audit::EgressRequest decided(std::string rule) {
  audit::EgressRequest request;
  request.verdict = "allow";
  request.rule = std::move(rule);
  request.reason = "allowed";
  return request;
}

TEST(Metrics, CountsVerdictsBytesAndFailures) {
  Metrics metrics;
  metrics.count(decided("a"));
  metrics.count(decided("a"));
  audit::EgressTunnel tunnel;
  tunnel.phase = audit::EgressTunnel::Phase::close;
  tunnel.bytes_up = 3;
  tunnel.bytes_down = 5;
  tunnel.error = "reset";
  metrics.count(tunnel);
  audit::EgressDone done;
  done.bytes_down = 7;
  metrics.count(done);
  ASSERT_EQ(metrics.numbers().verdicts.size(), 1U);
  EXPECT_EQ(metrics.numbers().verdicts.begin()->second, 2U);
  EXPECT_EQ(metrics.numbers().bytes_up, 3U);
  EXPECT_EQ(metrics.numbers().bytes_down, 12U);
  EXPECT_EQ(metrics.numbers().failures, 1U);
  EXPECT_EQ(metrics.numbers().durations.count(), 2U);
}

TEST(Metrics, NumberOfSeriesIsBounded) {
  Metrics metrics;
  for (std::size_t i = 0; i < Metrics::kMaxSeries + 100; ++i) metrics.count(decided(std::to_string(i)));
  EXPECT_EQ(metrics.numbers().verdicts.size(), Metrics::kMaxSeries + 1);
  EXPECT_EQ(metrics.numbers().verdicts.at({"", "connect", "allow", "other", "allowed"}), 100U);
}

TEST(Metrics, LoseNothingThatThreadsCountTogether) {
  Metrics metrics;
  std::latch all(4);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&metrics, &all, i] {
        all.arrive_and_wait();
        for (int n = 0; n < 5'000; ++n) metrics.count(decided(std::to_string((n + i) % 7)));
        for (int n = 0; n < 1'000'000; ++n) metrics.inspected(Inspected::head, std::chrono::microseconds(1));
      });
    }
  }
  auto const numbers = metrics.numbers();
  std::uint64_t verdicts = 0;
  for (auto const& [key, count] : numbers.verdicts) verdicts += count;
  EXPECT_EQ(verdicts, 20'000U);
  EXPECT_EQ(numbers.inspections.at(0).count(), 4'000'000U);
}

TEST(Histogram, CountsUpToEachBound) {
  Histogram histogram;
  histogram.add(100);
  histogram.add(101);
  histogram.add(3'600'000'000);
  EXPECT_EQ(histogram.up_to(0), 1U);
  EXPECT_EQ(histogram.up_to(1), 2U);
  EXPECT_EQ(histogram.up_to(Histogram::kBoundsMicroseconds.size() - 1), 2U);
  EXPECT_EQ(histogram.count(), 3U);
}

}  // namespace
}  // namespace sallyport::proxy
