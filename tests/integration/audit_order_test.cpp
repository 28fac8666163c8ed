// The verdict is in the file before the first byte goes upstream. The server looks at the log when a first byte is there.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <atomic>
#include <string>

namespace sallyport::test {
namespace {

constexpr int kRequests = 40;

std::string fetch_often(std::string const& how, std::string const& url) {
  return "i=0; while [ $i -lt " + std::to_string(kRequests) + " ]; do curl -sS -o /dev/null " + how + " " + url +
         "/hello?$i; i=$((i+1)); done";
}

/// Runs `script` with `origin` as allowed.example; how often a first byte came when the log had too few verdicts.
int bytes_before_verdict(Jail const& jail, Origin& origin, unsigned port, std::string const& script) {
  std::atomic<int> arrived = 0, too_early = 0;
  origin.on_first_byte([&] {
    auto const records = read_records(jail.audit_file());
    auto const verdicts = having(records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"}}).size();
    if (verdicts < static_cast<std::size_t>(++arrived)) ++too_early;
  });
  auto const outcome = jail.run(reach("allowed.example", port, origin.port()), {"sh", "-c", script});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(arrived, kRequests);
  return too_early;
}

TEST(AuditOrder, VerdictOfARequestIsWrittenBeforeItsFirstByteGoesUpstream) {
  Jail jail;
  Origin origin;
  EXPECT_EQ(bytes_before_verdict(jail, origin, 80, fetch_often("", "http://allowed.example")), 0);
}

TEST(AuditOrder, VerdictOfATunnelIsWrittenBeforeItsFirstByteGoesUpstream) {
  Jail jail;
  TestCa ca;
  jail.add_file("ca.pem", ca.pem());
  Origin origin(ca, {"allowed.example"});
  EXPECT_EQ(bytes_before_verdict(jail, origin, 443, fetch_often("--cacert ca.pem", "https://allowed.example")), 0);
}

TEST(AuditOrder, VerdictOfACapturedConnectionIsWrittenBeforeItsFirstByteGoesUpstream) {
  Jail jail;
  TestCa ca;
  jail.add_file("ca.pem", ca.pem());
  Origin origin(ca, {"allowed.example"});
  EXPECT_EQ(
      bytes_before_verdict(jail, origin, 443, fetch_often("--noproxy '*' --cacert ca.pem", "https://allowed.example")), 0);
}

}  // namespace
}  // namespace sallyport::test
