#include "tests/jail/filtered.hpp"

#include "jail/privileges.hpp"
#include "jail/receive.hpp"
#include "jail/report.hpp"
#include "jail/seccomp_program.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr std::chrono::seconds kPatience{10};

std::pair<int, int> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) throw std::runtime_error("socketpair");
  return {ends[0], ends[1]};
}

/// Child side: the listener goes to the parent.
bool enter_filter(int report_fd, std::span<std::uint64_t const> filter) {
  if (set_no_new_privs() != 0) return false;
  // SAFETY: the kernel reads the instructions and changes none of them.
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     reinterpret_cast<sock_filter*>(const_cast<std::uint64_t*>(filter.data()))};
  int const fd =
      static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
  if (fd < 0) return false;
  bool const sent = send_report_with_fds(report_fd, {}, &fd, 1) == 0;
  ::close(fd);
  return sent;
}

}  // namespace

Filtered::Filtered(std::function<int()> const& body) : Filtered(socket_pair(), body) {}

Filtered::Filtered(std::pair<int, int> ends, std::function<int()> const& body)
    : child_([&] {
        if (!enter_filter(ends.second, seccomp_program())) return 125;
        ::close(ends.second);
        return body();
      }) {
  ::close(ends.second);
  auto received = receive_report(ends.first, kPatience);
  ::close(ends.first);
  if (!received || received->fds.size() != 1) throw std::runtime_error("no seccomp listener");
  listener_ = std::move(received->fds.front());
}

int Filtered::refuse_all() {
  for (int count = 0;; ++count) {
    pollfd waiting{listener_->get(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) != 1)
      throw std::runtime_error("poll");
    if (!(waiting.revents & POLLIN)) return count;
    seccomp_notif notification{};
    if (::ioctl(listener_->get(), SECCOMP_IOCTL_NOTIF_RECV, &notification) < 0) continue;
    seccomp_notif_resp answer{};
    answer.id = notification.id;
    answer.error = -EPERM;
    ::ioctl(listener_->get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

}  // namespace sallyport::jail
