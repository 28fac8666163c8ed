// A real gRPC client in real jails, against a real gRPC server, through full inspection: calls of every kind on the legs it can take,
// each recorded with its method's path; and messages with a secret, which do not reach the server.

#include "dlp/example.hpp"
#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kPolicy[] =
    "version: 1\nname: grpc\negress:\n"
    "  - {name: echo, hosts: [rpc.example], methods: [POST], paths: ['/test.Echo/Unary', '/test.Echo/Count', '/test.Echo/Bidi']}\n"
    "  - {name: old, hosts: [old.example]}\n";
constexpr char kPython[] = "/usr/bin/python3";  // Debian's, which has Debian's python3-grpcio

struct LegCase {
  char const* name;
  char const* way;
};
constexpr LegCase kLegs[] = {{"connect", "PROXY"}, {"transparent", "DIRECT"}};

class Grpc : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists("/usr/lib/python3/dist-packages/grpc")) GTEST_SKIP() << "no python3-grpcio here";
    jail_.set_policy(kPolicy);
    jail_.add_file("client.py", read_file(std::string(SALLYPORT_TEST_SUPPORT) + "/grpc_client.py"));
    server_ = std::make_unique<Process>(Command{.argv = {kPython, "-B", std::string(SALLYPORT_TEST_SUPPORT) + "/grpc_server.py",
                                                         directory_.path().string(), "rpc.example"},
                                                .after_input = AfterInput::keep_open});
    ASSERT_TRUE(server_->wait_for_output("\n", 20s)) << "the gRPC server does not start";
    port_ = static_cast<unsigned>(std::stoul(server_->out().substr(5)));
  }

  JailOutcome call(LegCase const& leg, std::string const& what, std::string const& text, std::string const& host = "rpc.example") {
    auto options = pin("rpc.example", 443, port_);
    auto const old = pin("old.example", 443, http1_.port());
    options.insert(options.end(), old.begin(), old.end());
    options.insert(options.end(), {"--ca-bundle", bundle()});
    auto command = jail_.command(options, {kPython, "client.py", host + ":443", leg.way, what, text});
    command.timeout = 90s;
    return jail_.run(std::move(command));
  }
  std::string bundle() { return jail_.add_file("operator.pem", read_file((directory_ / "ca.pem").string()) + ca_.pem()); }
  void expect_call(LegCase const& leg, std::string const& what, std::string const& text, std::string const& answer) {
    auto const outcome = call(leg, what, text);
    EXPECT_EQ(outcome.out, answer + "\n") << outcome.err << print(outcome.records);
    expect_recorded(outcome, {{"type", "egress.request"}, {"leg", leg.name}, {"method", "POST"}, {"host", "rpc.example"}, {"verdict", "allow"}});
  }

  TempDir directory_;
  TestCa ca_;
  Origin http1_{ca_, {"old.example"}};
  Jail jail_;
  std::unique_ptr<Process> server_;
  unsigned port_ = 0;
};

TEST_F(Grpc, CallsOfEveryKindPassOnEveryLeg) {
  for (auto const& leg : kLegs) {
    SCOPED_TRACE(leg.name);
    expect_call(leg, "unary", "hello", "hello 5");
    expect_call(leg, "packed", std::string(1000, 'x'), std::string(1000, 'x'));
    expect_call(leg, "count", "5", "0 1 2 3 4");
    expect_call(leg, "bidi", "ping pong third", "yes ping pong third 0");
  }
}

TEST_F(Grpc, LargeMessageIsByteExactBothWays) { expect_call(kLegs[0], "bulk", std::to_string(64 * 1024 * 1024), "same"); }

TEST_F(Grpc, MethodThatNoRuleAllowsIsDeniedInTheClientsOwnWords) {
  jail_.set_policy("version: 1\nname: grpc\negress: [{hosts: [rpc.example], methods: [POST], paths: ['/test.Echo/Count']}]\n");
  auto const outcome = call(kLegs[0], "unary", "hello");
  EXPECT_THAT(outcome.out, StartsWith("PERMISSION_DENIED"));
  expect_recorded(outcome, {{"verdict", "deny"}, {"reason", "path_not_allowed"}, {"path", "/test.Echo/Unary"}});
}

TEST_F(Grpc, SecretInAMessageDoesNotReachTheServer) {
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  for (std::string const what : {"unary", "packed", "bidi"}) {
    SCOPED_TRACE(what);
    auto const outcome = call(kLegs[0], what, "k=" + secret);
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr(secret)));
    EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"action", "block"}, {"place", "body"}}).size(), 1u) << print(outcome.records);
    expect_recorded(outcome, {{"type", "egress.request"}, {"phase", "end"}, {"reason", "secret_found"}});
  }
}

TEST_F(Grpc, ServerOfHttp1IsRefusedReadably) {
  auto const outcome = call(kLegs[0], "unary", "hello", "old.example");
  EXPECT_THAT(outcome.out, StartsWith("UNAVAILABLE"));
  expect_recorded(outcome, {{"type", "egress.request"}, {"phase", "end"}, {"reason", "upstream_not_http2"}});
  EXPECT_EQ(http1_.requests(), 0u);
}

}  // namespace
}  // namespace sallyport::test
