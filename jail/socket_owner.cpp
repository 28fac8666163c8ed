#include "jail/socket_owner.hpp"

#include "jail/proc_files.hpp"
#include "policies/address_class.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>

namespace sallyport::jail {
namespace {

constexpr int kAnswerMilliseconds = 200;

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

/// Address as inet_diag has it: 4 or 16 bytes in network order.
bool put_address(std::string const& text, bool v4, __be32 (&out)[4]) {
  auto const address = policies::IpAddress::parse(text);
  if (!address || address->is_v4() != v4) return false;
  if (v4) {
    auto const bytes = address->v4_bytes();
    std::memcpy(out, bytes.data(), bytes.size());
  } else {
    std::memcpy(out, address->bytes().data(), 16);
  }
  return true;
}

std::optional<Request> make_request(audit::Flow const& flow, bool v4) {
  bool const udp = flow.protocol == "udp";
  Request request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  // An unconnected UDP socket has no remote address to look for: list them, and compare ports.
  if (udp) request.header.nlmsg_flags |= NLM_F_DUMP;
  request.body.sdiag_family = v4 ? AF_INET : AF_INET6;
  request.body.sdiag_protocol = udp ? IPPROTO_UDP : IPPROTO_TCP;
  request.body.idiag_states = ~0U;
  request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (udp) return request;
  request.body.id.idiag_sport = htons(flow.local_port);
  request.body.id.idiag_dport = htons(flow.remote_port);
  if (!put_address(flow.local_address, v4, request.body.id.idiag_src)) return std::nullopt;
  if (!put_address(flow.remote_address, v4, request.body.id.idiag_dst)) return std::nullopt;
  return request;
}

/// One datagram of the answer; true when there is more to come.
struct Answer {
  std::optional<std::uint64_t> inode;
  bool more = false;
};

Answer read_answer(int fd, std::uint16_t local_port) {
  alignas(nlmsghdr) char buffer[32 * 1024];
  pollfd waiting{fd, POLLIN, 0};
  if (::poll(&waiting, 1, kAnswerMilliseconds) <= 0) return {};
  ssize_t const received = ::recv(fd, buffer, sizeof buffer, 0);
  if (received <= 0) return {};
  Answer answer;
  // SAFETY: NLMSG_OK checks the length before each header is read; the kernel is trusted.
  auto left = static_cast<unsigned>(received);
  for (auto* header = reinterpret_cast<nlmsghdr*>(buffer); NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY) return {answer.inode, false};  // the end of a dump, or an error
    auto const* socket = static_cast<inet_diag_msg const*>(NLMSG_DATA(header));
    if (socket->id.idiag_sport == htons(local_port) && socket->idiag_inode != 0) answer.inode = socket->idiag_inode;
    answer.more = (header->nlmsg_flags & NLM_F_MULTI) != 0;
  }
  return answer;
}

void discard_pending(int fd) {
  char buffer[4096];
  while (::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0) continue;
}

}  // namespace

SocketOwner::SocketOwner(UniqueFd socket_diag, pid_t init)
    : SocketOwner(std::move(socket_diag), [init] { return process_tree(init); }) {}

std::optional<std::uint64_t> SocketOwner::inode_of(audit::Flow const& flow) {
  if (flow.protocol != "tcp" && flow.protocol != "udp") return std::nullopt;
  std::optional<std::uint64_t> found;
  // An IPv6 socket may carry IPv4: ask for the address's own family first.
  bool const v4_first = flow.local_address.find(':') == std::string::npos;
  for (bool v4 : {v4_first, !v4_first}) {
    auto const request = make_request(flow, v4);
    if (!request) continue;
    discard_pending(diag_.get());
    if (::send(diag_.get(), &*request, sizeof *request, 0) < 0) return std::nullopt;
    for (Answer answer{{}, true}; answer.more;) {
      answer = read_answer(diag_.get(), flow.local_port);
      if (answer.inode) found = answer.inode;
    }
    if (found) return found;
  }
  return found;
}

std::optional<pid_t> SocketOwner::find(audit::Flow const& flow) {
  auto const inode = inode_of(flow);
  if (!inode) return std::nullopt;
  for (pid_t pid : processes_()) {
    auto const process = ProcDirectory::open(pid);
    if (process && process->has_socket(*inode)) return pid;
  }
  return std::nullopt;
}

}  // namespace sallyport::jail
