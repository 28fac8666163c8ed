#include "jail/exit_watch.hpp"

#include "jail/process_exit.hpp"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sallyport::jail {

void ExitWatch::watch(pid_t pid, UniqueFd const& pidfd, int operation, std::uint32_t events) const {
  epoll_event event{};
  event.events = events | EPOLLONESHOT;
  event.data.fd = pid;
  ::epoll_ctl(epoll_.get(), operation, pidfd.get(), &event);
}

Result<void> ExitWatch::started(pid_t pid, std::uint64_t seq) {
  if (auto found = running_.find(pid); found != running_.end()) {
    found->second.exec = seq;
    return {};
  }
  auto pidfd = UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), "pidfd_open");
  if (!pidfd) {
    audit::CommandExit event;
    event.pid = pid;
    event.exec = seq;
    table_.ended(pid);
    auto const written = sink_.append(event);
    if (!written) return written.error();
    return {};
  }
  watch(pid, *pidfd, EPOLL_CTL_ADD, EPOLLIN);
  running_.emplace(pid, Running{*std::move(pidfd), seq, clock_.now()});
  return {};
}

Result<void> ExitWatch::handle_ended() {
  std::array<epoll_event, 64> events{};
  for (;;) {
    int const count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
    for (int i = 0; i < count; ++i) {
      if (auto done = handle_one(events[static_cast<std::size_t>(i)].data.fd); !done) return done.error();
    }
    if (count < static_cast<int>(events.size())) return sink_.commit();
  }
}

Result<void> ExitWatch::handle_one(pid_t pid) {
  auto const found = running_.find(pid);
  if (found == running_.end()) return {};
  Running const& process = found->second;
  ExitInfo const info = exit_info(process.pidfd);
  if (info.knowledge == ExitKnowledge::not_reaped) {
    watch(pid, process.pidfd, EPOLL_CTL_MOD, 0);  // hangs up when it is reaped
    return {};
  }
  audit::CommandExit event;
  event.pid = pid;
  event.exec = process.exec;
  if (info.knowledge == ExitKnowledge::known && WIFSIGNALED(info.status)) event.signal = WTERMSIG(info.status);
  if (info.knowledge == ExitKnowledge::known && WIFEXITED(info.status)) event.exit_code = WEXITSTATUS(info.status);
  event.duration_us = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - process.since).count());
  table_.ended(pid);
  running_.erase(found);
  auto const written = sink_.append(event);
  if (!written) return written.error();
  return {};
}

}  // namespace sallyport::jail
