#include "cli/proxy_session.hpp"

#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;
using test::RunningProxy;
using testing::HasSubstr;

/// `sallyport proxy` with one allowed name that is pinned to a loopback origin.
class ProxySession : public testing::Test {
 protected:
  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::string const port = std::to_string(origin_.port());
    std::vector<std::string> all = {"--allow", "a.example:" + port, "--resolve", "a.example:" + port + ":127.0.0.1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string url(std::string const& host) const { return "http://" + host + ":" + std::to_string(origin_.port()) + "/hello"; }

  test::TempDir const directory_;
  test::Origin origin_;
};

TEST_F(ProxySession, ServesWhatThePolicyAllowsAndWritesBothVerdictsDown) {
  RunningProxy proxy(arguments());
  EXPECT_EQ(proxy.status_of(url("a.example")), "200");
  EXPECT_EQ(proxy.status_of(url("b.example")), "403");
  EXPECT_EQ(origin_.requests(), 1U);
  auto const records = proxy.stop();
  EXPECT_EQ(proxy.exit_code(), 0);
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"host", "a.example"}, {"verdict", "allow"}}).size(), 1U);
  auto const denied = test::having(records, {{"type", "egress.request"}, {"host", "b.example"}, {"verdict", "deny"}});
  ASSERT_EQ(denied.size(), 1U);
  EXPECT_EQ(test::text_at(denied.front(), "flow.local_address"), "127.0.0.1") << "the client";
  EXPECT_EQ("127.0.0.1:" + test::text_at(denied.front(), "flow.remote_port"), proxy.address()) << "the listener";
  EXPECT_EQ(test::having(records, {{"type", "session.end"}, {"cause", "stopped"}}).size(), 1U);
  EXPECT_THAT(test::print({records.front()}), HasSubstr("command audit (unavailable)"));
}

TEST_F(ProxySession, ListenerForTlsTakesTheNameFromTheClientHello) {
  test::TestCa const ca;
  test::write_file(directory_ / "ca.pem", ca.pem());
  test::Origin secure(ca, {"a.example", "b.example"});
  auto const tls_port = std::to_string(test::free_port());
  RunningProxy proxy({"--listen-tls", "127.0.0.1:" + tls_port, "--allow", "a.example", "--resolve",
                      "a.example:443:127.0.0.1:" + std::to_string(secure.port())});
  auto get = [&](std::string const& host) {
    return test::run_command({.argv = {"curl", "-sS", "--max-time", "20", "--cacert", (directory_ / "ca.pem").string(), "--resolve",
                                       host + ":" + tls_port + ":127.0.0.1", "https://" + host + ":" + tls_port + "/hello"}});
  };
  EXPECT_EQ(get("a.example").out, "hello\n");
  EXPECT_NE(get("b.example").exit_code, 0);
  EXPECT_EQ(secure.connections(), 1U);
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"leg", "sni"}, {"host", "a.example"}, {"port", "443"}, {"verdict", "allow"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"leg", "sni"}, {"host", "b.example"}, {"verdict", "deny"}}).size(), 1U);
}

TEST_F(ProxySession, UnixListenerNamesTheUser) {
  auto const path = (directory_ / "proxy").string();
  RunningProxy proxy(arguments({"--listen", "unix:" + path}));
  auto const uid = "uid " + std::to_string(::getuid());
  auto const socket = UniqueFd::adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value();
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  path.copy(at.sun_path, sizeof at.sun_path - 1);
  ASSERT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  std::string const request = "GET " + url("a.example") + " HTTP/1.0\r\nHost: a.example:" + std::to_string(origin_.port()) + "\r\n\r\n";
  ASSERT_EQ(::send(socket.get(), request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string answer(12, '\0');
  EXPECT_EQ(::recv(socket.get(), answer.data(), answer.size(), MSG_WAITALL), 12);
  EXPECT_THAT(answer, testing::EndsWith(" 200"));
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"flow.protocol", "unix"}, {"flow.local_address", uid}, {"flow.remote_address", path}}).size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// What a balancer on this machine gets back that connects for 203.0.113.7.
std::string through_balancer(std::string const& proxy, std::string const& header, std::string const& request) {
  auto const socket = UniqueFd::adopt(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value();
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(proxy.substr(proxy.rfind(':') + 1))));
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) return "no connection";
  auto const bytes = header + request;
  static_cast<void>(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
  std::string answer(12, '\0');
  auto const got = ::recv(socket.get(), answer.data(), answer.size(), MSG_WAITALL);
  return answer.substr(0, got > 0 ? static_cast<std::size_t>(got) : 0);
}

TEST_F(ProxySession, BalancerSaysForWhomItConnectsAndHasToSayIt) {
  using namespace std::string_literals;
  auto const header = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\xde\xad\x0c\x38"s;
  auto const request = "GET " + url("a.example") + " HTTP/1.0\r\nHost: a.example:" + std::to_string(origin_.port()) + "\r\n\r\n";
  RunningProxy proxy(arguments({"--proxy-protocol", "127.0.0.0/8", "--allow-clients", "203.0.113.0/24"}));
  EXPECT_THAT(through_balancer(proxy.address(), header, request), testing::EndsWith(" 200"));
  EXPECT_EQ(through_balancer(proxy.address(), "", request), "") << "no header, no service";
  auto stranger = header;
  stranger[16] = '\x0a';
  EXPECT_EQ(through_balancer(proxy.address(), stranger, request), "") << "the client that is named has to be allowed";
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"phase", "verdict"}, {"flow.local_address", "203.0.113.7"}, {"flow.local_port", "57005"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"type", "limit.hit"}, {"limit", "proxy_protocol"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"type", "limit.hit"}, {"limit", "client_not_allowed"}}).size(), 1U);
}

TEST_F(ProxySession, BalancerAtAUnixListenerSaysForWhomItConnects) {
  using namespace std::string_literals;
  auto const path = (directory_ / "balanced").string();
  RunningProxy proxy(arguments({"--listen", "unix:" + path, "--proxy-protocol", "unix", "--allow-clients", "203.0.113.0/24"}));
  auto const request = "GET " + url("a.example") + " HTTP/1.0\r\nHost: a.example:" + std::to_string(origin_.port()) + "\r\n\r\n";
  auto const ask = [&](std::string const& header) {
    auto const socket = UniqueFd::adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value();
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    path.copy(place.sun_path, sizeof place.sun_path - 1);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    auto const bytes = header + request;
    static_cast<void>(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
    std::string answer(12, '\0');
    auto const got = ::recv(socket.get(), answer.data(), answer.size(), MSG_WAITALL);
    return answer.substr(0, got > 0 ? static_cast<std::size_t>(got) : 0);
  };
  EXPECT_THAT(ask("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\x01\xde\xad\x0c\x38"s), testing::EndsWith(" 200"));
  EXPECT_EQ(ask(""), "") << "no header, no service";
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"phase", "verdict"}, {"flow.local_address", "203.0.113.7"}}).size(), 1U) << test::print(records);
  EXPECT_EQ(test::having(records, {{"type", "limit.hit"}, {"limit", "proxy_protocol"}}).size(), 1U);
}

TEST_F(ProxySession, OneClientCannotTakeAllConnections) {
  auto const metrics = "127.0.0.1:" + std::to_string(test::free_port());
  RunningProxy proxy(arguments({"--max-connections-per-client", "1", "--metrics", metrics}));
  auto busy_command = proxy.curl({"-N", "http://a.example:" + std::to_string(origin_.port()) + "/drip"});
  test::Process busy(std::move(busy_command));
  ASSERT_TRUE(busy.wait_for_output("first bytes", 20s));
  EXPECT_NE(proxy.status_of(url("a.example")), "200");
  auto const page = test::run_command({.argv = {"curl", "-sS", "http://" + metrics + "/metrics"}}).out;
  EXPECT_THAT(page, HasSubstr("sallyport_connections_turned_away_total{limit=\"connections_per_client\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("sallyport_connections 1\n"));
  EXPECT_THAT(page, HasSubstr("verdict=\"allow\""));
  EXPECT_EQ(test::having(proxy.stop(), {{"type", "limit.hit"}, {"limit", "connections_per_client"}}).size(), 1U);
}

TEST_F(ProxySession, DrainLetsALiveTransferEndAndAcceptsNoOther) {
  RunningProxy proxy(arguments({"--drain", "60s"}));
  auto command = proxy.curl({"--limit-rate", "4M", "-o", (directory_ / "got").string(), "-v",
                             "http://a.example:" + std::to_string(origin_.port()) + "/bytes/12000000"});
  test::Process transfer(std::move(command));
  auto const deadline = std::chrono::steady_clock::now() + 20s;
  while (origin_.requests() == 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  proxy.process().send_signal(SIGTERM);
  EXPECT_EQ(transfer.wait().exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(directory_ / "got"), 12000000U);
  EXPECT_EQ(proxy.process().wait().exit_code, 0);
  EXPECT_NE(proxy.status_of(url("a.example")), "200");
}

/// One that sends half a head, one that waits behind an answer, one that gets nothing more: each ends in its own time.
TEST_F(ProxySession, ClientsThatWaitLongerThanTheyMayAreClosed) {
  RunningProxy proxy(arguments({"--head-timeout", "300ms", "--keep-alive-timeout", "300ms", "--idle-timeout", "300ms"}));
  std::string const at = "a.example:" + std::to_string(origin_.port());
  auto const python = [&](std::string const& request) {
    auto const where = proxy.address();
    return test::run_command({.argv = {"/usr/bin/python3", "-c",
                                       "import socket\ns = socket.create_connection(('127.0.0.1', " + where.substr(where.find(':') + 1) +
                                           "), 20)\ns.sendall(" + request + ")\nwhile True:\n  got = s.recv(65536)\n  print(got)\n  if not got: break"}}).out;
  };
  EXPECT_THAT(python("b'GET http://" + at + "/hello HTTP/1.1\\r\\nHost'"), HasSubstr("Sallyport-Reason: timeout"));
  EXPECT_THAT(python("b'GET http://" + at + "/hello HTTP/1.1\\r\\nHost: " + at + "\\r\\n\\r\\n'"), HasSubstr("b''")) << "closed behind the answer";
  EXPECT_THAT(python("b'GET http://" + at + "/drip HTTP/1.1\\r\\nHost: " + at + "\\r\\n\\r\\n'"), HasSubstr("first bytes"));
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"phase", "end"}, {"error", "nothing moved for too long"}}).size(), 1U) << test::print(records);
}

TEST_F(ProxySession, SocketsOfAServiceManagerAreListeners) {
  if (::access("/usr/bin/systemd-socket-activate", X_OK) != 0) GTEST_SKIP() << "no systemd-socket-activate";
  auto const listen = "127.0.0.1:" + std::to_string(test::free_port());
  std::vector<std::string> argv = {"systemd-socket-activate", "-l", listen, SALLYPORT_BINARY, "proxy", "--audit", (directory_ / "log").string()};
  for (auto const& argument : arguments()) argv.push_back(argument);
  test::Process process({.argv = std::move(argv)});
  auto const outcome = test::run_command({.argv = {"curl", "-sS", "--retry-connrefused", "--retry", "50", "--retry-delay", "0", "--max-time", "20",
                                                   "-x", "http://" + listen, url("a.example")}});
  EXPECT_EQ(outcome.out, "hello\n") << outcome.err;
  process.send_signal(SIGTERM);
}

/// In a network namespace of its own, with a second one behind a cable, as a container is.
void serve_a_neighbour() {
  ASSERT_EQ(::unshare(CLONE_NEWNET), 0);
  auto run = [](std::vector<std::string> argv) { return test::run_command({.argv = std::move(argv)}); };
  auto shell = [&](std::string const& script) { return run({"sh", "-ec", script}); };
  test::Process neighbour({.argv = {"unshare", "-n", "sh", "-c", "echo ready; exec sleep 100"}});
  ASSERT_TRUE(neighbour.wait_for_output("ready", 20s));
  auto const in = "nsenter -t " + std::to_string(neighbour.pid()) + " -n ";
  auto const cable = shell("ip link set lo up; ip link add c0 type veth peer name c1 netns " + std::to_string(neighbour.pid()) +
                           "; ip addr add 10.99.0.1/24 dev c0; ip link set c0 up; " + in + "ip addr add 10.99.0.2/24 dev c1; " + in +
                           "ip link set c1 up");
  ASSERT_EQ(cable.exit_code, 0) << cable.err;
  test::Origin const origin;
  auto const port = std::to_string(origin.port());
  auto const get = in + "curl -sS --max-time 10 --retry 50 --retry-connrefused --retry-delay 0 -x http://10.99.0.1:3128 http://a.example:" + port + "/hello";
  std::vector<std::string> const arguments = {"--listen", "10.99.0.1:3128", "--allow", "a.example:" + port, "--resolve", "a.example:" + port + ":127.0.0.1"};
  auto with = [&](std::string const& clients) {
    auto all = arguments;
    all.insert(all.end(), {"--allow-clients", clients});
    return all;
  };
  {
    RunningProxy proxy(with("10.99.0.2"));
    EXPECT_EQ(shell(get).out, "hello\n");
    EXPECT_EQ(test::having(proxy.stop(), {{"type", "egress.request"}, {"flow.local_address", "10.99.0.2"}, {"verdict", "allow"}}).size(), 1U);
  }
  RunningProxy proxy(with("10.98.0.0/16"));
  EXPECT_NE(shell(get).exit_code, 0);
  EXPECT_EQ(test::having(proxy.stop(), {{"type", "limit.hit"}, {"limit", "client_not_allowed"}}).size(), 1U);
}

TEST_F(ProxySession, ServesOnlyTheNeighboursItWasToldOf) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root connects network namespaces";
  std::thread(serve_a_neighbour).join();
}

/// 125: it cannot be set up; 2: the command line is wrong.
std::string refused(std::vector<std::string> arguments, int exit_code = 125) {
  arguments.insert(arguments.begin(), "proxy");
  auto const outcome = test::run_command(test::sallyport(arguments));
  EXPECT_EQ(outcome.exit_code, exit_code);
  return outcome.err;
}

TEST(ProxySessionErrors, WhatIsWrongWithAListenerIsNamed) {
  EXPECT_THAT(refused({"--listen", "localhost:3128"}), HasSubstr("'localhost:3128' is not ADDRESS:PORT"));
  EXPECT_THAT(refused({}), HasSubstr("no listener"));
  EXPECT_THAT(refused({"--listen", "0.0.0.0:3128"}), HasSubstr("--allow-clients"));
  EXPECT_THAT(refused({"--listen", "127.0.0.1:0", "--proxy-protocol", "unixx"}, 2), testing::StartsWith("--proxy-protocol: 'unixx' is not"));
}

}  // namespace
}  // namespace sallyport::cli
