#include "jail/container_commands.hpp"

#include "base/limits.hpp"
#include "jail/proc_files.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr int kMaxBatches = 8;  // more than the kernel keeps for us at a time

constexpr char kGone[] = "the process ended before it could be looked at";
constexpr char kHidden[] = "the program cannot be seen from outside";
constexpr char kRanBefore[] = "it ran before the session began";

std::size_t bytes_of(std::vector<std::string> const& argv) {
  return std::accumulate(argv.begin(), argv.end(), argv.size(), [](std::size_t sum, auto const& word) { return sum + word.size(); });
}

}  // namespace

bool ContainerCommands::belongs(pid_t pid) const {
  return members_.contains(pid) || namespace_id("/proc/" + std::to_string(pid) + "/ns/net") == network_;
}

/// What can be seen of a process that executed something.
audit::CommandExec ContainerCommands::describe(pid_t pid) const {
  audit::CommandExec event;
  event.pid = pid;
  event.ppid = members_.at(pid);
  auto const process = ProcDirectory::open(pid);
  if (!process) {
    event.mismatch = kGone;
    return event;
  }
  event.exe = process->exe();
  event.argv = process->argv();
  event.argv_cut = bytes_of(event.argv) >= limits::kMaxArgvBytes;
  event.cwd = process->cwd();
  if (auto const status = process->status()) {
    event.ppid = status->ppid;
    event.uid = status->uid;
  }
  if (event.exe.empty()) event.mismatch = event.argv.empty() ? kGone : kHidden;
  if (auto name = process->name(); event.argv.empty() && !name.empty()) event.argv = {std::move(name)};
  return event;
}

Result<void> ContainerCommands::record_running() {
  for (pid_t pid : processes_in(network_)) {
    if (auto done = executed(pid, kRanBefore); !done) return done;
  }
  return sink_.commit();
}

Result<void> ContainerCommands::settle() {
  // Bounded: who forks without an end does not keep the session from everything else.
  for (int batches = 0; batches < kMaxBatches; ++batches) {
    auto const batch = events_.read();
    if (!batch) return batch.error();
    for (auto const& event : batch->events) {
      if (auto done = apply(event); !done) return done;
    }
    if (batch->lost) {
      if (auto done = forget_the_gone(); !done) return done;
    }
    if (batch->events.empty() && !batch->lost) break;
  }
  return sink_.commit();
}

Result<void> ContainerCommands::apply(ProcessEvent const& event) {
  using Kind = ProcessEvent::Kind;
  if (event.kind == Kind::exited) return exited(event.pid, event.status);
  if (event.kind == Kind::executed) return belongs(event.pid) ? executed(event.pid, "") : Result<void>();
  if (!members_.contains(event.parent)) return {};
  members_[event.pid] = event.parent;
  table_.forked(event.parent, event.pid);
  return {};
}

Result<void> ContainerCommands::executed(pid_t pid, std::string remark) {
  members_.try_emplace(pid, 0);
  auto event = describe(pid);
  if (event.mismatch.empty()) event.mismatch = std::move(remark);
  event.verified = event.mismatch.empty();
  event.parent = table_.last_of(pid);
  auto const seq = sink_.append(event);
  if (!seq) return seq.error();
  table_.executed(pid, *seq);
  running_[pid] = {*seq, clock_.now()};
  return {};
}

Result<void> ContainerCommands::exited(pid_t pid, int status) {
  members_.erase(pid);
  table_.ended(pid);
  auto const found = running_.find(pid);
  if (found == running_.end()) return {};
  audit::CommandExit event;
  event.pid = pid;
  event.exec = found->second.exec;
  if (WIFSIGNALED(status)) event.signal = WTERMSIG(status);
  if (WIFEXITED(status)) event.exit_code = WEXITSTATUS(status);
  auto const ran = clock_.now() - found->second.since;
  event.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(ran).count());
  running_.erase(found);
  if (auto const written = sink_.append(event); !written) return written.error();
  return {};
}

/// Reports were lost: what has ended meanwhile is not taken for who has its number now, and the log says that commands may be missing.
Result<void> ContainerCommands::forget_the_gone() {
  auto const here = processes_in(network_);
  std::erase_if(members_, [&](auto const& member) {
    if (std::ranges::binary_search(here, member.first)) return false;
    table_.ended(member.first);
    running_.erase(member.first);
    return true;
  });
  for (pid_t pid : here) members_.try_emplace(pid, 0);
  audit::LimitHit event;
  event.limit = "process_events";
  event.detail = "the kernel dropped reports of processes: commands may be missing here";
  if (auto const written = sink_.append(event); !written) return written.error();
  return {};
}

}  // namespace sallyport::jail
