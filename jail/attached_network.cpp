#include "jail/attached_network.hpp"

#include "jail/net_bridge.hpp"
#include "jail/receive.hpp"
#include "jail/report.hpp"

#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr std::chrono::seconds kTimeout{20};
constexpr std::uint32_t kPacketLogBytes = 128;
constexpr std::size_t kKept = 3;  // descriptors of AttachedNetwork

/// What the steps of the child share.
struct State {
  AttachTarget const& target;
  int sockets_fd;
  int report_fd;
  Plan plan;  // only its network part
  BridgeSockets sockets;
  int rules = -1;
  int routes = -1;
  bool routes_set = false;
};

int enter(State& s) {
  // An ordinary user has power over the namespace only from within the user namespace that owns it.
  if (::setns(s.target.network.get(), CLONE_NEWNET) == 0) return 0;
  if (errno != EPERM) return errno;
  if (::setns(s.target.owner.get(), CLONE_NEWUSER) < 0) return errno;
  return ::setns(s.target.network.get(), CLONE_NEWNET) < 0 ? errno : 0;
}

bool is_up(char const* name) {
  ifreq request{};
  std::strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
  int const fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool const up = fd < 0 || ::ioctl(fd, SIOCGIFFLAGS, &request) < 0 || (request.ifr_flags & IFF_UP) != 0;
  if (fd >= 0) ::close(fd);
  return up;
}

/// Tunnel modules put a device of theirs, down, into every namespace: those do no harm.
int devices(State&) {
  auto* const all = ::if_nameindex();
  if (all == nullptr) return errno;
  int error = 0;
  for (auto const* device = all; device->if_index != 0; ++device)
    if (device->if_index != 1 && is_up(device->if_name)) error = EEXIST;
  ::if_freenameindex(all);
  return error;
}

int net_rules(State& s) {
  s.plan.net_rules = build_net_rules(s.plan.ports, TableLife::as_the_socket);
  s.rules = netlink_socket(NETLINK_NETFILTER, 0);
  return s.rules < 0 ? errno : transact(s.rules, s.plan.net_rules);
}

bool has_ipv6() {
  int const fd = ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  bool const bound = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  if (fd >= 0) ::close(fd);
  return bound;
}

/// Routes of a gateway that was killed are taken over.
int links(State& s) {
  s.routes = netlink_socket(NETLINK_ROUTE, 0);
  if (s.routes < 0) return errno;
  static_cast<void>(transact(s.routes, build_net_unlinks(Ipv6::present)));
  s.plan.ipv6 = Ipv6::absent;
  s.plan.net_links = build_net_links(Ipv6::absent);  // brings loopback up
  s.routes_set = true;
  if (int const error = bring_up_loopback(s.plan)) return error;
  if (!has_ipv6()) return 0;
  s.plan.ipv6 = Ipv6::present;
  s.plan.net_links = build_ipv6_link();
  return bring_up_loopback(s.plan);
}

int listeners(State& s) { return open_listeners(s.plan, s.sockets); }
int packet_log(State& s) {
  s.plan.packet_log_bind = build_packet_log_bind(kPacketLogBytes);
  return open_packet_log(s.plan, s.sockets);
}
int socket_diag(State& s) { return open_socket_diag(s.sockets); }

int hand_over(State& s) {
  unsigned const count = s.plan.ipv6 == Ipv6::present ? socket_order::count : socket_order::kWithoutIpv6;
  Report report;
  report.kind = Report::Kind::sockets;
  if (int const error = send_report_with_fds(s.sockets_fd, report, s.sockets.fds, count)) return error;
  report.detail = s.plan.ipv6 == Ipv6::present ? 1 : 0;
  int const kept[kKept] = {s.sockets.fds[socket_order::socket_diag], s.rules, s.routes};
  return send_report_with_fds(s.report_fd, report, kept, kKept);
}

constexpr std::pair<AttachStep, int (*)(State&)> kSteps[] = {
    {AttachStep::enter, enter},           {AttachStep::devices, devices},       {AttachStep::net_rules, net_rules},
    {AttachStep::links, links},           {AttachStep::listeners, listeners},   {AttachStep::packet_log, packet_log},
    {AttachStep::socket_diag, socket_diag}, {AttachStep::hand_over, hand_over},
};

/// The rules go with the process, whose sockets own them.
void undo(State const& s) {
  if (s.routes_set) static_cast<void>(transact(s.routes, build_net_unlinks(s.plan.ipv6)));
}

[[noreturn]] void child_main(State& state, AttachStep fail_at) {
  for (auto [step, run] : kSteps) {
    int const error = fail_at == step ? EIO : run(state);
    if (error == 0) continue;
    undo(state);
    Report report;
    report.error = error;
    report.detail = static_cast<std::int32_t>(step);
    static_cast<void>(send_report(state.report_fd, report));
    ::_exit(1);
  }
  ::_exit(0);
}

Error failure(Report const& report) {
  auto const step = static_cast<AttachStep>(report.detail);
  if (step == AttachStep::devices && report.error == EEXIST)
    return Error{Code::denied, 0, "the container has a network device besides loopback: start it with --network none"};
  if (step == AttachStep::net_rules && report.error == EPERM)
    return Error{Code::denied, 0, "a gateway serves this network already"};
  return Error::os(report.error, "cannot attach: " + std::string(describe(step)));
}

Result<AttachedNetwork> receive(UniqueFd const& reports) {
  auto received = receive_report(reports.get(), kTimeout);
  if (!received) return received.error();
  if (received->report.kind == Report::Kind::failed) return failure(received->report);
  auto& fds = received->fds;
  if (fds.size() != kKept) return Error{Code::invalid, 0, "cannot attach: too few descriptors"};
  return AttachedNetwork{std::move(fds[0]), std::move(fds[1]), std::move(fds[2]),
                         received->report.detail == 1 ? Ipv6::present : Ipv6::absent};
}

}  // namespace

std::string_view describe(AttachStep step) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "nothing", "entering the network namespace", "network devices", "packet filter (nf_tables)", "loopback device and routes",
      "listening sockets (are the ports 3128 to 3130 taken?)", "packet log", "socket_diag socket", "handing over the sockets"};
  auto const index = static_cast<std::size_t>(step);
  return index < kNames.size() ? kNames[index] : "unknown step";
}

Result<AttachedNetwork> attach_network(AttachTarget const& target, int sockets_fd, AttachStep fail_at) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
  auto reports = UniqueFd::adopt(pair[0], "socketpair");
  auto childs = UniqueFd::adopt(pair[1], "socketpair");
  if (!reports || !childs) return Error{Code::os, 0, "socketpair"};
  pid_t const pid = ::fork();
  if (pid < 0) return Error::os(errno, "fork");
  if (pid == 0) {
    State state{target, sockets_fd, childs->get(), {}, {}};
    state.plan.ports = kAttachPorts;
    std::ranges::fill(state.sockets.fds, -1);
    child_main(state, fail_at);
  }
  { auto const closed = *std::move(childs); }  // so that the child's end is seen
  auto network = receive(*reports);
  ::waitpid(pid, nullptr, 0);
  return network;
}

void detach_network(AttachedNetwork network) {
  static_cast<void>(transact(network.routes.get(), build_net_unlinks(network.ipv6)));
}

}  // namespace sallyport::jail
