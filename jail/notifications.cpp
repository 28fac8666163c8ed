#include "jail/notifications.hpp"

#include "jail/exec_request.hpp"
#include "jail/socket_words.hpp"
#include "policies/verdict.hpp"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>

namespace sallyport::jail {

Result<void> Notifications::handle_one(std::function<void(pid_t)> const& before_first) {
  seccomp_notif notification{};
  if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &notification) < 0) {
    bool const target_gone = errno == ENOENT || errno == EINTR;
    if (target_gone) return {};
    return Error::os(errno, "receiving a system call notification");
  }
  if (!command_) {
    command_ = static_cast<pid_t>(notification.pid);
    before_first(*command_);
  }
  auto const done = notification.data.nr == SYS_socket ? handle_socket(notification) : handle_exec(notification);
  if (!done) fail(notification, EPERM);
  return done;
}

Result<void> Notifications::handle_exec(seccomp_notif const& notification) {
  auto process = ProcDirectory::open(static_cast<pid_t>(notification.pid));
  if (!process) return {};  // killed while it waited
  auto request = read_exec_request(notification, *process);
  if (!request) return {};
  if (auto done = recorder_.about_to_execute(static_cast<pid_t>(notification.pid), *std::move(process), *std::move(request)); !done)
    return done.error();
  go_on(notification);
  return {};
}

Result<void> Notifications::handle_socket(seccomp_notif const& notification) {
  auto const* arguments = notification.data.args;
  SocketCall const call{static_cast<int>(arguments[0]), static_cast<int>(arguments[1]), static_cast<int>(arguments[2])};
  if (auto done = recorder_.settle(); !done) return done.error();
  audit::EgressRequest event;
  event.leg = audit::Leg::syscall;
  event.verdict = "deny";
  event.rule = "default";
  event.reason = policies::reason::kProtocol;
  event.detail = describe(call);
  event.flow.protocol = protocol_word(call);
  event.process = facts_.of_process(static_cast<pid_t>(notification.pid));
  if (auto seq = sink_.append(event); !seq) return seq.error();
  if (auto done = sink_.commit(); !done) return done.error();
  fail(notification, EPERM);
  return {};
}

// A target that died meanwhile makes both fail, which changes nothing.
void Notifications::go_on(seccomp_notif const& notification) const {
  seccomp_notif_resp answer{};
  answer.id = notification.id;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

void Notifications::fail(seccomp_notif const& notification, int error) const {
  seccomp_notif_resp answer{};
  answer.id = notification.id;
  answer.error = -error;
  ::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

}  // namespace sallyport::jail
