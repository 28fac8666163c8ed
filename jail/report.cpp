#include "jail/report.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace sallyport::jail {

int send_report(int socket_fd, Report const& report) noexcept {
  return ::send(socket_fd, &report, sizeof report, MSG_NOSIGNAL) == sizeof report ? 0 : errno;
}

int send_report_with_fds(int socket_fd, Report const& report, int const* fds, unsigned count) noexcept {
  if (count > socket_order::count) return EINVAL;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * socket_order::count)]{};
  iovec bytes{const_cast<Report*>(&report), sizeof report};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * count);
  std::memcpy(CMSG_DATA(header), fds, sizeof(int) * count);
  return ::sendmsg(socket_fd, &message, MSG_NOSIGNAL) == sizeof report ? 0 : errno;
}

}  // namespace sallyport::jail
