#include "jail/receive.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace sallyport::jail {
namespace {

Result<std::vector<UniqueFd>> take_descriptors(msghdr& message) {
  std::vector<UniqueFd> fds;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    std::size_t const count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      auto owned = UniqueFd::adopt(fd, "received descriptor");
      if (!owned) return owned.error();
      fds.push_back(*std::move(owned));
    }
  }
  return fds;
}

/// A side that ends with a message of ours unread resets the socket, once; what it sent before is still to be read.
ssize_t receive_message(int socket_fd, msghdr& message) {
  ssize_t const received = ::recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC);
  return received < 0 && errno == ECONNRESET ? ::recvmsg(socket_fd, &message, MSG_CMSG_CLOEXEC) : received;
}

}  // namespace

Result<Received> receive_report(int socket_fd, std::chrono::milliseconds deadline) {
  pollfd waiting{socket_fd, POLLIN, 0};
  int const ready = ::poll(&waiting, 1, static_cast<int>(deadline.count()));
  if (ready == 0) return Error{Code::limit, 0, "the jail did not answer in time"};
  if (ready < 0) return Error::os(errno, "poll");
  Report report;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * socket_order::count)];
  iovec bytes{&report, sizeof report};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t const received = receive_message(socket_fd, message);
  if (received < 0) return Error::os(errno, "recvmsg");
  auto fds = take_descriptors(message);
  if (!fds) return fds.error();
  if (received == 0) return Error{Code::closed, 0, "the jail's first process ended"};
  if (received != sizeof report || (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC))) return Error{Code::invalid, 0, "a report of the wrong size"};
  return Received{report, *std::move(fds)};
}

}  // namespace sallyport::jail
