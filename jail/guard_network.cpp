#include "jail/guard_network.hpp"

#include "jail/attached_network.hpp"
#include "jail/net_bridge.hpp"
#include "jail/net_guard_rules.hpp"
#include "jail/report.hpp"

#include <arpa/inet.h>
#include <linux/capability.h>
#include <net/if.h>
#include <netinet/in.h>
#include <resolv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

namespace sallyport::jail {
namespace {

constexpr std::uint32_t kPacketLogBytes = 128;
constexpr char kRefusedName[] = "self-test.sallyport.invalid";  // RFC 6761: no policy can mean it
constexpr timeval kPatience{5, 0};

Error step(int error, char const* what) { return Error::os(error, std::string("cannot guard: ") + what); }

bool has_ipv6() {
  auto const fd = UniqueFd::adopt(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  return fd && ::bind(fd->get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

/// The code of the stub's answer to a question for an A record; -1 when there is none.
int ask(char const* name) {
  std::array<unsigned char, 512> question{}, answer{};
  int const length = ::res_mkquery(0, name, 1, 1, nullptr, 0, nullptr, question.data(), static_cast<int>(question.size()));
  auto const fd = UniqueFd::adopt(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  if (length < 0 || !fd) return -1;
  ::setsockopt(fd->get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  sockaddr_in resolver{};
  resolver.sin_family = AF_INET;
  resolver.sin_port = htons(53);
  resolver.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::sendto(fd->get(), question.data(), static_cast<std::size_t>(length), 0, reinterpret_cast<sockaddr*>(&resolver), sizeof resolver) < 0)
    return -1;
  return ::recv(fd->get(), answer.data(), answer.size(), 0) < 12 ? -1 : answer[3] & 0x0f;  // RFC 1035 section 4.1.1
}

}  // namespace

Result<void> close_guarded_network(std::uint32_t gateway_uid) {
  Plan plan;
  plan.net_rules = build_guard_rules(kAttachPorts, gateway_uid);
  if (int const error = load_net_rules(plan)) return step(error, "packet filter (does the container have the capability NET_ADMIN?)");
  return {};
}

Result<UniqueFd> open_guarded_sockets(int sockets_fd) {
  Plan plan;
  plan.ports = kAttachPorts;
  plan.ipv6 = has_ipv6() ? Ipv6::present : Ipv6::absent;
  plan.packet_log_bind = build_packet_log_bind(kPacketLogBytes);
  BridgeSockets sockets{};
  std::ranges::fill(sockets.fds, -1);
  int error = open_listeners(plan, sockets);
  if (error == 0) error = open_packet_log(plan, sockets);
  if (error == 0) error = open_socket_diag(sockets);
  Report report;
  report.kind = Report::Kind::sockets;
  unsigned const count = plan.ipv6 == Ipv6::present ? socket_order::count : socket_order::kWithoutIpv6;
  if (error == 0) error = send_report_with_fds(sockets_fd, report, sockets.fds, count);
  for (unsigned i = 0; i < socket_order::count; ++i)
    if (sockets.fds[i] >= 0 && i != socket_order::socket_diag) ::close(sockets.fds[i]);
  if (error != 0) return step(error, "listening sockets (are the ports 3128 to 3130 taken?)");
  return UniqueFd::adopt(sockets.fds[socket_order::socket_diag], "socket_diag");
}

Result<void> give_up_network_power() {
  for (int capability : {CAP_NET_ADMIN, CAP_NET_RAW})
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) return step(errno, "capability bounding set");
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return step(errno, "ambient capabilities");
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, sets) < 0) return step(errno, "capget");
  constexpr std::uint32_t kBoth = (1U << CAP_NET_ADMIN) | (1U << CAP_NET_RAW);
  sets[0].effective &= ~kBoth;
  sets[0].permitted &= ~kBoth;
  sets[0].inheritable &= ~kBoth;
  return ::syscall(SYS_capset, &header, sets) < 0 ? Result<void>(step(errno, "capset")) : Result<void>();
}

Result<void> test_guarded_network(char const* allowed) {
  constexpr int kNoError = 0, kNameError = 3;
  if (*allowed != '\0' && ask(allowed) != kNoError)
    return Error{Code::denied, 0, std::string("self-test: the policy allows ") + allowed + ", and it does not resolve in the container"};
  if (ask(kRefusedName) != kNameError) return Error{Code::denied, 0, "self-test: a name that no rule allows was not refused"};
  return {};
}

}  // namespace sallyport::jail
