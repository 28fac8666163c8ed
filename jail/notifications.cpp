#include "jail/notifications.hpp"

#include "jail/exec_request.hpp"
#include "jail/process_memory.hpp"
#include "jail/socket_address.hpp"
#include "jail/socket_words.hpp"
#include "policies/verdict.hpp"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <utility>

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
  auto caller = find_caller(static_cast<pid_t>(notification.pid));
  if (!caller) return {};  // killed while it waited
  auto const done = handle(notification, *std::move(caller));
  if (!done) fail(notification, EPERM);
  return done;
}

/// An exec by any thread ends the others and goes on as the process: /proc of the thread is gone then.
std::optional<Notifications::Caller> Notifications::find_caller(pid_t thread) const {
  auto directory = ProcDirectory::open(thread);
  if (!directory) return std::nullopt;
  auto const status = directory->status();
  if (!status) return std::nullopt;
  if (status->tgid != thread) directory = ProcDirectory::open(status->tgid);
  if (!directory) return std::nullopt;
  return Caller{*status, *std::move(directory)};
}

Result<void> Notifications::handle(seccomp_notif const& notification, Caller caller) {
  auto const call = notification.data.nr;
  if (call == SYS_execve || call == SYS_execveat) return handle_exec(notification, std::move(caller));
  // Whatever else a process does follows from its own exec, which is on record first.
  if (auto done = recorder_.settle(); !done) return done.error();
  if (call != SYS_connect && call != SYS_sendto) return handle_socket(notification, caller);
  handle_dial(notification, caller);
  return {};
}

Result<void> Notifications::handle_exec(seccomp_notif const& notification, Caller caller) {
  auto request = read_exec_request(notification, caller.directory);
  if (!request) return {};
  if (auto done = recorder_.about_to_execute(caller.status, std::move(caller.directory), *std::move(request)); !done)
    return done.error();
  go_on(notification);
  return {};
}

void Notifications::handle_dial(seccomp_notif const& notification, Caller const& caller) {
  bool const connect = notification.data.nr == SYS_connect;
  ProcessMemory const memory(static_cast<pid_t>(notification.pid));
  auto dial = read_dial(memory, notification.data.args[connect ? 1 : 4]);
  if (dial) facts_.note_dial(caller.status.tgid, *std::move(dial));
  go_on(notification);
}

Result<void> Notifications::handle_socket(seccomp_notif const& notification, Caller const& caller) {
  auto const* arguments = notification.data.args;
  SocketCall const call{static_cast<int>(arguments[0]), static_cast<int>(arguments[1]), static_cast<int>(arguments[2])};
  audit::EgressRequest event;
  event.leg = audit::Leg::syscall;
  event.verdict = "deny";
  event.rule = "default";
  event.reason = policies::reason::kProtocol;
  event.detail = describe(call);
  event.flow.protocol = protocol_word(call);
  event.process = facts_.of_process(caller.status.tgid);
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
