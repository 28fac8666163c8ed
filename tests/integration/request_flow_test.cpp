// Requests from inside a jail to a server on the host, over every leg. What is allowed arrives byte for byte; what is not
// never reaches the server, and the client is told why.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct LegCase {
  char const* name;
  char const* scheme;
  std::vector<std::string> curl_options;
};
std::vector<std::string> const kDirect = {"--noproxy", "*"};
std::vector<std::string> const kSocks = {"--noproxy", "", "--proxy", "socks5h://127.0.0.1:3128"};

std::vector<LegCase> legs() {
  return {{"connect", "https", {}},
          {"socks5", "https", kSocks},
          {"transparent", "https", kDirect},
          {"absolute", "http", {}},
          {"socks5", "http", kSocks},
          {"transparent", "http", kDirect},
          {"connect", "http", {"--proxytunnel"}}};
}

/// curl in a jail against an HTTP and an HTTPS server that are pinned to allowed.example, denied.example and other.example;
/// only the first is allowed.
class RequestFlow : public testing::Test {
 protected:
  RequestFlow() { jail_.add_file("ca.pem", ca_.pem()); }

  JailOutcome curl(LegCase const& leg, std::string const& url, std::vector<std::string> const& more,
                   std::string input = {}) {
    std::vector<std::string> argv = {"curl", "-sS", "--max-time", "20", "--cacert", "ca.pem"};
    argv.insert(argv.end(), leg.curl_options.begin(), leg.curl_options.end());
    argv.insert(argv.end(), more.begin(), more.end());
    argv.push_back(std::string(leg.scheme) + "://" + url);
    return run(argv, std::move(input));
  }

  JailOutcome run(std::vector<std::string> const& argv, std::string input = {}) {
    auto command = jail_.command(options(), argv);
    command.input = std::move(input);
    return jail_.run(std::move(command));
  }

  std::vector<std::string> options() const {
    std::vector<std::string> all = {"--allow", "allowed.example:443", "--allow", "allowed.example:80"};
    auto const pins = jail_pins();
    all.insert(all.end(), pins.begin(), pins.end());
    return all;
  }

  std::vector<std::string> jail_pins() const {
    std::vector<std::string> all;
    for (std::string const name : {"allowed.example", "denied.example", "other.example"}) {
      for (auto const& pins : {pin(name, 443, https_.port()), pin(name, 80, http_.port())}) {
        all.insert(all.end(), pins.begin(), pins.end());
      }
    }
    return all;
  }

  std::size_t connections() const { return https_.connections() + http_.connections(); }

  TestCa ca_;
  Origin https_{ca_, {"allowed.example", "denied.example", "other.example"}};
  Origin http_;
  Jail jail_;
};

TEST_F(RequestFlow, AllowedRequestArrivesAndIsRecordedOnce) {
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    auto const before = connections();
    auto const outcome = curl(leg, "allowed.example/hello", {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "hello\n");
    EXPECT_EQ(connections(), before + 1);
    auto const verdicts = having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}});
    ASSERT_EQ(verdicts.size(), 1u) << print(verdicts);
    expect_on_record(outcome,
                     {{"type", "egress.request"},
                      {"phase", "verdict"},
                      {"leg", leg.name},
                      {"verdict", "allow"},
                      {"host", "allowed.example"}},
                     "curl");
  }
}

/// A rule that lists programs is for them alone, on every leg; a script is known by its own name, too.
TEST_F(RequestFlow, RuleMayDependOnTheProgramThatAsks) {
  jail_.set_policy(
      "version: 1\negress:\n  - {name: tools, hosts: [allowed.example], ports: [80, 443], inspect: sni, "
      "processes: [/usr/bin/curl, '/**/fetch']}\n");
  jail_.add_file(
      "fetch", "#!/usr/bin/python3\nimport urllib.request as u\nprint(u.urlopen('http://allowed.example/hello').read())\n");
  auto options = jail_pins();
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    // --ipv4: a client whose connection is reset before it noticed that it stood tries the other family, with a second record.
    std::vector<std::string> argv = {"curl", "-sS", "--ipv4", "--max-time", "20", "--cacert", "ca.pem"};
    argv.insert(argv.end(), leg.curl_options.begin(), leg.curl_options.end());
    argv.push_back(std::string(leg.scheme) + "://allowed.example/hello");
    EXPECT_EQ(jail_.run(options, argv).out, "hello\n");
    argv.insert(argv.begin(), {"sh", "-c", "cp /usr/bin/curl ./other && shift && exec ./other \"$@\"", "sh"});
    auto const before = connections();
    auto const outcome = jail_.run(options, argv);
    EXPECT_EQ(connections(), before) << outcome.out;
    EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "process_not_allowed"}})
                  .size(),
              1u)
        << print(outcome.records);
  }
  EXPECT_THAT(jail_.run(options, {"sh", "-c", "chmod +x fetch && exec \"$PWD/fetch\""}).out, HasSubstr("hello"));
  auto const python = jail_.run(
      options, {"python3", "-c", "import urllib.request as u\nprint(u.urlopen('http://allowed.example/hello').read())"});
  EXPECT_THAT(python.err, HasSubstr("HTTP Error 403"));
}

TEST_F(RequestFlow, EveryAllowedRequestHasAnEndOnRecord) {
  auto const tunnel = curl({"connect", "https", {}}, "allowed.example/hello", {});
  EXPECT_EQ(having(tunnel.records, {{"type", "egress.tunnel"}, {"phase", "open"}}).size(), 1u) << print(tunnel.records);
  EXPECT_EQ(having(tunnel.records, {{"type", "egress.tunnel"}, {"phase", "close"}}).size(), 1u);
  auto const request = curl({"absolute", "http", {}}, "allowed.example/hello", {});
  auto const ends =
      having(request.records, {{"type", "egress.request"}, {"phase", "end"}, {"status", "200"}, {"bytes_down", "6"}});
  EXPECT_EQ(ends.size(), 1u) << print(request.records);
}

TEST_F(RequestFlow, BodiesAreByteExactInBothDirections) {
  auto const body = pattern_bytes(8 * 1024 * 1024 + 1);
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    auto const down = curl(leg, "allowed.example/bytes/" + std::to_string(body.size()), {});
    EXPECT_EQ(sha256_hex(down.out), sha256_hex(body)) << down.err;
    auto const expected = std::to_string(body.size()) + " " + sha256_hex(body) + "\n";
    EXPECT_EQ(curl(leg, "allowed.example/upload", {"--data-binary", "@-"}, body).out, expected);
    EXPECT_EQ(curl(leg, "allowed.example/upload", {"--data-binary", "@-", "-H", "Transfer-Encoding: chunked"}, body).out,
              expected);
  }
}

TEST_F(RequestFlow, DeniedNameNeverReachesTheServer) {
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    auto const outcome = curl(leg, "denied.example/hello", {"--fail"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_LT(outcome.duration, 3s);
    EXPECT_EQ(connections(), 0u);
    bool const by_name = leg.curl_options == kDirect;  // there the name is refused by the resolver
    expect_on_record(
        outcome, {{"type", by_name ? "dns.query" : "egress.request"}, {"verdict", "deny"}, {"reason", "no_rule"}}, "curl");
    EXPECT_THAT(outcome.err, HasSubstr("denied.example")) << "the last line names what was refused";
  }
}

/// Where a server sends its client is asked for like anything else.
TEST_F(RequestFlow, RedirectsAreDecidedAsNewRequests) {
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    auto const follow = [&](std::string const& to) { return curl(leg, "allowed.example/redirect?" + to, {"-L"}); };
    EXPECT_EQ(follow("/hello").out, "hello\n");
    EXPECT_EQ(follow("http://allowed.example/redirect?https://allowed.example/hello").out, "hello\n");
    for (std::string const to : {"http://denied.example/hello", "https://denied.example/hello",
                                 "http://169.254.169.254/latest/meta-data", "http://127.0.0.1/hello"}) {
      auto const before = connections();
      auto const outcome = follow(to);
      EXPECT_EQ(connections(), before + 1) << "ESCAPED: " << to;
      EXPECT_THAT(outcome.out, Not(HasSubstr("hello\n")));
    }
  }
}

TEST_F(RequestFlow, RefusalSaysWhyInOneShape) {
  auto const as_json = curl({"absolute", "http", {}}, "denied.example/hello", {"-i", "-H", "Accept: application/json"});
  EXPECT_THAT(as_json.out, HasSubstr("HTTP/1.1 403"));
  EXPECT_THAT(as_json.out, HasSubstr("Sallyport-Reason: no_rule"));
  auto const body = boost::json::parse(as_json.out.substr(as_json.out.find("\r\n\r\n") + 4)).as_object();
  EXPECT_EQ(text_at(body, "error"), "egress_denied");
  EXPECT_EQ(text_at(body, "reason"), "no_rule");
  EXPECT_EQ(text_at(body, "host"), "denied.example");
  EXPECT_NE(text_at(body, "hint"), "");

  auto const tunnel = curl({"connect", "https", {}}, "denied.example/hello", {"-v"});
  EXPECT_THAT(tunnel.err, HasSubstr("403"));
  EXPECT_THAT(tunnel.err, HasSubstr("Sallyport-Reason: no_rule"));
}

TEST_F(RequestFlow, PortThatIsNotAllowedIsRefused) {
  for (auto const& leg : legs()) {
    SCOPED_TRACE(std::string(leg.name) + " " + leg.scheme);
    auto const outcome = curl(leg, "allowed.example:8443/hello", {"--fail"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_LT(outcome.duration, 3s);
    expect_on_record(outcome,
                     {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "port_not_allowed"}, {"port", "8443"}},
                     "curl");
  }
  EXPECT_EQ(connections(), 0u);
}

TEST_F(RequestFlow, NameInTheTlsHelloMustBeTheNameAskedFor) {
  for (auto const& leg : legs()) {
    if (std::string(leg.scheme) != "https") continue;
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, "other.example/hello", {"--connect-to", "other.example:443:allowed.example:443"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_EQ(connections(), 0u);
    expect_on_record(outcome,
                     {{"type", "egress.request"},
                      {"verdict", "deny"},
                      {"reason", "sni_mismatch"},
                      {"host", "allowed.example"},
                      {"sni", "other.example"}},
                     "curl");
  }
}

TEST_F(RequestFlow, HostFieldMustBeTheNameAskedFor) {
  for (auto const& leg : legs()) {
    if (std::string(leg.scheme) != "http") continue;
    SCOPED_TRACE(leg.name);
    auto const outcome = curl(leg, "allowed.example/hello", {"--fail", "-H", "Host: other.example"});
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_EQ(connections(), 0u);
    auto const denied = having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}});
    EXPECT_EQ(denied.size(), 1u) << print(outcome.records);
  }
}

TEST_F(RequestFlow, SecondRequestOfAConnectionIsDecidedAlone) {
  auto const script =
      "exec 3<>/dev/tcp/127.0.0.1/3128; "
      "printf 'GET http://allowed.example/hello HTTP/1.1\\r\\nHost: allowed.example\\r\\n\\r\\n"
      "GET http://denied.example/hello HTTP/1.1\\r\\nHost: denied.example\\r\\n\\r\\n' >&3; timeout 5 cat <&3";
  auto const outcome = run({"bash", "-c", script});
  EXPECT_THAT(outcome.out, HasSubstr("hello\n"));
  EXPECT_THAT(outcome.out, HasSubstr("HTTP/1.1 403"));
  EXPECT_EQ(http_.requests(), 1u);
  EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}}).size(), 2u);
}

TEST_F(RequestFlow, ClientsThatIgnoreTheProxyGetNoFurther) {
  auto const https = std::to_string(https_.port());
  for (std::string const& command : {
           std::string("curl -k --noproxy '*' https://denied.example/hello"),
           std::string("NO_PROXY='*' no_proxy='*' curl -k https://denied.example/hello"),
           std::string("ALL_PROXY= HTTPS_PROXY= https_proxy= all_proxy= curl -k https://denied.example/hello"),
           std::string("unset https_proxy HTTPS_PROXY all_proxy ALL_PROXY; curl -k https://denied.example/hello"),
           std::string("env -i /usr/bin/curl -k https://denied.example/hello"),
           std::string("curl -k --noproxy '*' --resolve denied.example:443:127.0.0.1 https://denied.example/hello"),
           "curl -k --noproxy '*' --connect-to denied.example:443:127.0.0.1:" + https + " https://denied.example/hello",
           "curl -k --noproxy '*' https://127.0.0.1:" + https + "/hello",
           "curl -k --noproxy '*' https://localhost:" + https + "/hello",
           "curl -k --noproxy '*' -6 https://[::1]:" + https + "/hello",
           "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + https + " && echo ESCAPED'",
           std::string("bash -c 'exec 3<>/dev/tcp/denied.example/443 && echo ESCAPED'"),
           "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", " + https + ")); print(\"ESCAPED\")'",
       }) {
    SCOPED_TRACE(command);
    auto const outcome = run({"sh", "-c", command});
    EXPECT_NE(outcome.exit_code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, Not(AnyOf(HasSubstr("ESCAPED"), HasSubstr("hello"))));
    EXPECT_LT(outcome.duration, 3s);
    EXPECT_EQ(connections(), 0u);
  }
}

/// localhost stands in the hosts file, with loopback addresses: what a name leads to counts on every leg that has names.
TEST_F(RequestFlow, AllowedNameThatLeadsToLoopbackIsRefusedOnEveryLeg) {
  auto const secure = "localhost:" + std::to_string(https_.port()), plain = "localhost:" + std::to_string(http_.port());
  struct Case {
    std::string leg, proxy, url;
  };
  for (auto const& [leg, proxy, url] : {Case{"connect", "http://127.0.0.1:3128", "https://" + secure},
                                        Case{"socks5", "socks5h://127.0.0.1:3128", "https://" + secure},
                                        Case{"absolute", "http://127.0.0.1:3128", "http://" + plain}}) {
    auto const outcome = jail_.run({"--allow", secure, "--allow", plain}, {"curl", "-fskS", "--noproxy", "", "--proxy",
                                                                           proxy, "--max-time", "10", url + "/hello"});
    EXPECT_NE(outcome.exit_code, 0) << leg;
    EXPECT_EQ(connections(), 0u) << "ESCAPED: " << leg;
    expect_on_record(
        outcome,
        {{"type", "egress.request"}, {"leg", leg}, {"verdict", "deny"}, {"reason", "address_class"}, {"host", "localhost"}},
        "curl");
  }
}

}  // namespace
}  // namespace sallyport::test
