#pragma once
// Answers the jail's system call notifications: an exec is written down and goes on; a dial is remembered and goes on; a socket that leads
// past the proxy is written down and refused. One thread. Source: seccomp_unotify(2).

#include "audit/sink.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/command_recorder.hpp"
#include "jail/process_facts.hpp"

#include <linux/seccomp.h>
#include <functional>
#include <optional>
#include <sys/types.h>

namespace sallyport::jail {

class Notifications {
 public:
  Notifications(UniqueFd listener, CommandRecorder& recorder, ProcessFacts& facts, audit::Sink& sink)
      : listener_(std::move(listener)), recorder_(recorder), facts_(facts), sink_(sink) {}

  /// REQUIRES: the listener is readable. Answers one notification; an error means that the audit log cannot be written,
  /// and then the system call fails with EPERM.
  /// `before_first` hears of the command's process while it waits for its first answer.
  Result<void> handle_one(std::function<void(pid_t)> const& before_first);
  int listener() const { return listener_.get(); }
  /// The first process that asked: the command itself.
  std::optional<pid_t> command() const { return command_; }

 private:
  /// What a notification is about. The kernel names a thread; this is the process that it belongs to.
  struct Caller {
    ProcDirectory::Status status;
    ProcDirectory directory;
  };
  std::optional<Caller> find_caller(pid_t thread) const;
  Result<void> handle(seccomp_notif const& notification, Caller caller);
  Result<void> handle_exec(seccomp_notif const& notification, Caller caller);
  Result<void> handle_socket(seccomp_notif const& notification, Caller const& caller);
  void handle_dial(seccomp_notif const& notification, Caller const& caller);
  void go_on(seccomp_notif const& notification) const;
  void fail(seccomp_notif const& notification, int error) const;

  UniqueFd listener_;
  CommandRecorder& recorder_;
  ProcessFacts& facts_;
  audit::Sink& sink_;
  std::optional<pid_t> command_;
};

}  // namespace sallyport::jail
