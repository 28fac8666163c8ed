#include "proxy/counting_audit.hpp"

#include "tests/proxy/fake_audit.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

awaitable<void> record_one(AuditPort& port) {
  audit::EgressRequest request;
  request.verdict = "deny";
  auto written = co_await port.record(std::move(request));
  EXPECT_TRUE(written);
}

TEST(CountingAudit, CountsWhatItPassesOn) {
  asio::io_context io;
  tests::FakeAudit log(io);
  Metrics metrics;
  CountingAudit counting(log, metrics);
  tests::run(io, record_one(counting));
  counting.post(audit::EgressDone{});
  EXPECT_EQ(metrics.numbers().verdicts.size(), 1U);
  EXPECT_EQ(metrics.numbers().audit_lag.count(), 1U);
  EXPECT_EQ(metrics.numbers().durations.count(), 1U);
  EXPECT_EQ(log.wait_for<audit::EgressRequest>(0).size(), 1U);
}

}  // namespace
}  // namespace sallyport::proxy
