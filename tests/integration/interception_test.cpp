// TLS that ends in the gateway, seen from real jails: clients of every kind trust the session's authority without being told, and each
// request is decided and recorded with its method and path.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <filesystem>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;

constexpr char kPolicy[] =
    "version: 1\nname: test\negress:\n"
    "  - {name: read, hosts: [allowed.example, other.example], methods: [GET, HEAD], paths: ['/hello', '/bytes/**', '/echo']}\n"
    "  - {name: write, hosts: [allowed.example], methods: [POST], paths: [/upload]}\n"
    "  - {name: closed, hosts: [closed.example], inspect: sni}\n"
    "  - {name: bytes, hosts: [bytes.example], inspect: raw}\n";

struct LegCase {
  char const* name;
  std::vector<std::string> curl_options;
};
std::vector<LegCase> const kLegs = {{"connect", {}},
                                    {"socks5", {"--noproxy", "", "--proxy", "socks5h://127.0.0.1:3128"}},
                                    {"transparent", {"--noproxy", "*"}}};

/// Clients in a jail against an HTTPS server of an authority that only the operator trusts.
class Interception : public testing::Test {
 protected:
  Interception() { jail_.set_policy(kPolicy); }

  JailOutcome run(std::vector<std::string> const& argv, std::string input = {}) {
    std::vector<std::string> options = {"--ca-bundle", jail_.add_file("operator.pem", ca_.pem())};
    for (std::string const name : {"allowed.example", "other.example", "closed.example", "bytes.example", "wrong.example"}) {
      auto const pins = pin(name, 443, origin_.port());
      options.insert(options.end(), pins.begin(), pins.end());
    }
    auto command = jail_.command(options, argv);
    command.input = std::move(input);
    return jail_.run(std::move(command));
  }

  JailOutcome curl(LegCase const& leg, std::string const& url, std::vector<std::string> const& more = {}, std::string input = {}) {
    std::vector<std::string> argv = {"curl", "-sS", "--max-time", "20"};
    argv.insert(argv.end(), leg.curl_options.begin(), leg.curl_options.end());
    argv.insert(argv.end(), more.begin(), more.end());
    argv.push_back(url);
    return run(argv, std::move(input));
  }

  void expect_hello(JailOutcome const& outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "hello\n") << outcome.err;
    auto const verdicts = having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"},
                                                   {"scheme", "https"}, {"method", "GET"}, {"path", "/hello"}, {"rule", "read"}});
    EXPECT_EQ(verdicts.size(), 1u) << print(outcome.records);
  }

  TestCa ca_;
  Origin origin_{ca_, {"allowed.example", "other.example", "closed.example"}};
  Jail jail_;
};

TEST_F(Interception, CurlIsServedOnEveryLegWithMethodAndPathOnRecord) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, "https://allowed.example/hello");
    expect_hello(outcome);
    EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"leg", leg.name}}).size(), 1u);
  }
}

TEST_F(Interception, MethodAndPathAreRefusedOnEveryLegAndNothingReachesTheServer) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const path = curl(leg, "https://allowed.example/secret");
    EXPECT_THAT(path.out, HasSubstr("path_not_allowed"));
    auto const method = curl(leg, "https://allowed.example/hello", {"-X", "DELETE"});
    EXPECT_THAT(method.out, HasSubstr("method_not_allowed"));
  }
  EXPECT_EQ(origin_.connections(), 0u);
}

TEST_F(Interception, HostInsideMustBeTheNameAskedFor) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, "https://allowed.example/hello", {"-H", "Host: other.example"});
    EXPECT_THAT(outcome.out, HasSubstr("host_mismatch"));
  }
  EXPECT_EQ(origin_.connections(), 0u);
}

TEST_F(Interception, BodiesAreByteExactInBothDirections) {
  auto const body = pattern_bytes(8 * 1024 * 1024 + 1);
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const down = curl(leg, "https://allowed.example/bytes/" + std::to_string(body.size()));
    EXPECT_EQ(sha256_hex(down.out), sha256_hex(body)) << down.err;
    auto const up = curl(leg, "https://allowed.example/upload", {"--data-binary", "@-"}, body);
    EXPECT_EQ(up.out, std::to_string(body.size()) + " " + sha256_hex(body) + "\n") << up.err;
  }
}

/// HTTP/1.1 is what is spoken to the server: the client's streams are requests like any other.
TEST_F(Interception, Http2IsDecidedRequestByRequestOnEveryLeg) {
  std::string const url = "https://allowed.example";
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, url + "/hello", {"--http2", "-w", "%{http_version}\\n", url + "/secret", url + "/hello"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::MatchesRegex("[^2]*path_not_allowed[^2]*\\n?2\nhello\n2\nhello\n2\n")) << outcome.out;
    EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"leg", leg.name}}).size(), 3u);
    EXPECT_EQ(having(outcome.records, {{"phase", "verdict"}, {"verdict", "deny"}, {"path", "/secret"}, {"reason", "path_not_allowed"}}).size(), 1u);
    for (auto const& end : having(outcome.records, {{"type", "egress.request"}, {"phase", "end"}})) EXPECT_EQ(text_at(end, "error"), "");
  }
}

TEST_F(Interception, BodiesOverHttp2AreByteExactInBothDirections) {
  auto const body = pattern_bytes(8 * 1024 * 1024 + 1);
  auto const down = curl(kLegs[0], "https://allowed.example/bytes/" + std::to_string(body.size()), {"--http2"});
  EXPECT_EQ(sha256_hex(down.out), sha256_hex(body)) << down.err;
  auto const up = curl(kLegs[0], "https://allowed.example/upload", {"--http2", "--data-binary", "@-"}, body);
  EXPECT_EQ(up.out, std::to_string(body.size()) + " " + sha256_hex(body) + "\n") << up.err;
}

TEST_F(Interception, SixtyFourMebibytesAreByteExactHoweverTheyAreCarried) {
  auto const body = pattern_bytes(64 * 1024 * 1024);
  auto const digest = sha256_hex(body);
  struct Way {
    std::string url;
    std::vector<std::string> options;
  };
  for (auto const& [url, options] : {Way{"https://allowed.example", {"--http1.1"}}, Way{"https://allowed.example", {"--http2"}}, Way{"https://bytes.example", {"--insecure"}}}) {
    SCOPED_TRACE(url + " " + options[0]);
    auto const down = curl(kLegs[2], url + "/bytes/" + std::to_string(body.size()), options);
    EXPECT_EQ(sha256_hex(down.out), digest) << down.err;
    auto sending = options;
    sending.insert(sending.end(), {"--data-binary", "@-"});
    auto const up = curl(kLegs[2], url + "/upload", sending, body);
    EXPECT_EQ(up.out, std::to_string(body.size()) + " " + digest + "\n") << up.err;
  }
}

TEST_F(Interception, AuthorityOfAStreamMustBeTheNameAskedFor) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    EXPECT_THAT(curl(leg, "https://allowed.example/hello", {"--http2", "-H", "Host: other.example"}).out, HasSubstr("host_mismatch"));
  }
  EXPECT_EQ(origin_.connections(), 0u);
}

/// The jail's client with the gateway, and the gateway with the server, in both versions of TLS.
TEST_F(Interception, SessionsAreResumedOnBothSides) {
  for (std::string const version : {"-tls1_2", "-tls1_3"}) {
    SCOPED_TRACE(version);
    auto const before = origin_.resumptions();
    std::string const ask = "printf 'GET /hello HTTP/1.1\\r\\nHost: allowed.example\\r\\nConnection: close\\r\\n\\r\\n' | openssl s_client " + version +
                            " -connect allowed.example:443 -servername allowed.example -ign_eof ";
    auto const outcome = run({"sh", "-c", ask + "-sess_out session >/dev/null 2>&1; " + ask + "-sess_in session 2>/dev/null"});
    EXPECT_THAT(outcome.out, HasSubstr("Reused, TLSv1." + version.substr(version.size() - 1))) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("hello"));
    EXPECT_EQ(origin_.resumptions(), before + 1);
  }
}

TEST_F(Interception, PythonTrustsTheSession) {
  expect_hello(run({"python3", "-c", "import urllib.request as u; print(u.urlopen('https://allowed.example/hello').read().decode(), end='')"}));
}

TEST_F(Interception, NodeTrustsTheSession) {
  if (!std::filesystem::exists("/usr/bin/node") && !std::filesystem::exists("/usr/local/bin/node")) GTEST_SKIP() << "no node here";
  expect_hello(run({"node", "-e", "require('https').get('https://allowed.example/hello', r => r.pipe(process.stdout))"}));
}

TEST_F(Interception, ChildWithoutAnEnvironmentTrustsTheSession) {
  expect_hello(run({"env", "-i", "/usr/bin/curl", "-sS", "--max-time", "20", "https://allowed.example/hello"}));
}

/// What no certificate of ours may hide, on each leg and in both versions of HTTP.
TEST_F(Interception, ServerWithAnotherNameIsRefusedWithTheReasonOnEveryLeg) {
  jail_.set_policy("version: 1\nname: test\negress: [{hosts: [wrong.example]}]\n");
  for (auto const& leg : kLegs) {
    for (std::string const version : {"--http1.1", "--http2"}) {
      SCOPED_TRACE(std::string(leg.name) + " " + version);
      auto const outcome = curl(leg, "https://wrong.example/hello", {version});
      EXPECT_THAT(outcome.out, HasSubstr("upstream_wrong_name"));
      EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"phase", "end"}, {"reason", "upstream_wrong_name"}}).size(), 1u);
    }
  }
  EXPECT_EQ(origin_.requests(), 0u);
}

TEST_F(Interception, ServerOfAStrangersAuthorityIsRefusedOnEveryLeg) {
  TestCa const stranger;
  Origin const origin(stranger, {"allowed.example"});
  for (auto const& leg : kLegs) {
    for (std::string const version : {"--http1.1", "--http2"}) {
      SCOPED_TRACE(std::string(leg.name) + " " + version);
      std::vector<std::string> argv = {"curl", "-sS", "--max-time", "20", version};
      argv.insert(argv.end(), leg.curl_options.begin(), leg.curl_options.end());
      argv.push_back("https://allowed.example/hello");
      auto const outcome = jail_.run(pin("allowed.example", 443, origin.port()), argv);
      EXPECT_THAT(outcome.out, HasSubstr("upstream_untrusted"));
    }
  }
  EXPECT_EQ(origin.requests(), 0u);
}

TEST_F(Interception, ClientThatPinsIsRecordedWithTheWayOutOnEveryLeg) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, "https://allowed.example/hello", {"--cacert", "operator.pem"});
    EXPECT_NE(outcome.exit_code, 0);
    auto const rejected = having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "client_rejected_ca"}});
    EXPECT_EQ(rejected.size(), 1u) << print(outcome.records);
  }
}

TEST_F(Interception, RuleThatLeavesTlsClosedShowsTheServersOwnCertificate) {
  auto const outcome = curl(kLegs[0], "https://closed.example/hello", {"--cacert", "operator.pem"});
  EXPECT_EQ(outcome.out, "hello\n") << outcome.err;
}

}  // namespace
}  // namespace sallyport::test
