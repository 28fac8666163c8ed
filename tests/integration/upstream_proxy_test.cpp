// A jail behind the proxy of the operator's own network, which is played by a `sallyport proxy`: its log tells what reached
// it.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"

#include <gmock/gmock.h>
#include <fstream>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Both names lead to the origins, but only on the upstream proxy's side; the session's policy allows one.
class UpstreamProxy : public testing::Test {
 protected:
  UpstreamProxy() { jail_.add_file("ca.pem", ca_.pem()); }

  std::vector<std::string> upstream_arguments() const {
    auto const policy = (directory_ / "upstream.yaml").string();
    std::ofstream(policy) << "version: 1\nname: upstream\nnetwork: restricted\negress:\n"
                             "  - {name: tls, hosts: [allowed.example, denied.example], inspect: sni}\n"
                             "  - {name: plain, hosts: [allowed.example, denied.example], ports: [80]}\n";
    std::vector<std::string> all = {"--policy", policy};
    for (std::string const name : {"allowed.example", "denied.example"}) {
      all.insert(all.end(), {"--resolve", name + ":443:127.0.0.1:" + std::to_string(https_.port())});
      all.insert(all.end(), {"--resolve", name + ":80:127.0.0.1:" + std::to_string(http_.port())});
    }
    return all;
  }

  JailOutcome curl(std::string const& scheme, std::string const& url) {
    std::vector<std::string> const options = {"--allow", "allowed.example:443", "--allow", "allowed.example:80", "--upstream-proxy",
                                              scheme + "://" + upstream_.address()};
    return jail_.run(options, {"curl", "-sS", "--max-time", "20", "--cacert", "ca.pem", url});
  }

  TestCa ca_;
  Origin https_{ca_, {"allowed.example", "denied.example"}};
  Origin http_;
  TempDir const directory_;
  RunningProxy upstream_{upstream_arguments()};
  Jail jail_;
};

TEST_F(UpstreamProxy, WhatIsAllowedGoesThroughItAndItsRecordsSaySo) {
  for (std::string const scheme : {"http", "socks5h"}) {
    for (std::string const url : {"https://allowed.example/hello", "http://allowed.example/hello"}) {
      SCOPED_TRACE(scheme + " " + url);
      auto const outcome = curl(scheme, url);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(outcome.out, "hello\n");
      auto const records =
          having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"}});
      ASSERT_EQ(records.size(), 1U);
      EXPECT_EQ(text_at(records.front(), "via"), scheme + "://" + upstream_.address());
      EXPECT_EQ(text_at(records.front(), "resolved_by"), "upstream");
    }
  }
  auto const seen = having(upstream_.stop(), {{"type", "egress.request"}, {"phase", "verdict"}});
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(text_at(seen[0], "leg"), "connect");
  EXPECT_EQ(text_at(seen[1], "leg"), "absolute") << "an HTTP proxy is not asked for a tunnel to port 80";
  EXPECT_EQ(text_at(seen[2], "leg"), "socks5");
  EXPECT_EQ(text_at(seen[3], "leg"), "socks5");
}

TEST_F(UpstreamProxy, WhatIsDeniedStaysDeniedAndDoesNotReachIt) {
  for (std::string const url : {"https://denied.example/hello", "http://denied.example/hello"}) {
    SCOPED_TRACE(url);
    auto const outcome = curl("http", url);
    EXPECT_NE(outcome.out, "hello\n") << "ESCAPED";
    EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "no_rule"}}).size(), 1U);
  }
  EXPECT_THAT(having(upstream_.stop(), {{"type", "egress.request"}}), IsEmpty());
  EXPECT_EQ(https_.connections() + http_.connections(), 0U);
}

}  // namespace
}  // namespace sallyport::test
