#include "jail/command_recorder.hpp"

#include "base/limits.hpp"

#include <algorithm>
#include <string>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;

constexpr auto kFirstLook = 300us;  // an exec takes about this long
constexpr auto kGiveUp = 2s;        // a process that still is what it was: its exec failed

std::optional<FileId> file_of(ProcDirectory const& process) {
  auto const info = process.exe_file();
  if (!info) return std::nullopt;
  return FileId{info->st_dev, info->st_ino};
}

std::string describe_difference(ExecRequest const& request, ProcDirectory const& process) {
  if (request.argv_cut) return "the arguments are longer than what is kept";
  return "the process runs " + process.exe() + ", not what it asked for";
}

}  // namespace

Result<void> CommandRecorder::about_to_execute(ProcDirectory::Status status, ProcDirectory process, ExecRequest request) {
  if (auto done = settle(); !done) return done.error();
  // Asking again means that the exec before failed.
  pid_t const pid = status.tgid;
  open_.remove_if([pid](Open const& open) { return open.pid == pid; });
  auto const now = clock_.now();
  auto before = file_of(process);
  auto argv_before = process.argv();
  open_.push_back({pid, std::move(process), std::move(request), before, std::move(argv_before), status, now, now + kFirstLook});
  return {};
}

CommandRecorder::Outcome CommandRecorder::look(Open const& open) const {
  auto const file = file_of(open.process);
  if (!file) return Outcome::gone;
  auto const argv = open.process.argv();
  if (open.request.expected && *file == open.request.expected->file &&
      (open.request.argv_cut || argv == open.request.expected->argv))
    return open.request.argv_cut ? Outcome::different : Outcome::verified;
  if (file == open.exe_before && argv == open.argv_before)
    return clock_.now() - open.asked < kGiveUp ? Outcome::unknown : Outcome::failed;
  // Between the old and the new image there are no arguments to be seen.
  if (argv.empty() && clock_.now() - open.asked < limits::kExecConfirmTimeout) return Outcome::unknown;
  return Outcome::different;
}

Result<void> CommandRecorder::settle() {
  for (auto at = open_.begin(); at != open_.end();) {
    Outcome const outcome = look(*at);
    if (outcome == Outcome::unknown) {
      auto const waited = clock_.now() - at->asked;
      at->next_look = clock_.now() + std::max<std::chrono::steady_clock::duration>(kFirstLook, waited / 2);
      ++at;
      continue;
    }
    // A process that ended at once may well have run, also when the file could not be seen from outside.
    if (outcome != Outcome::failed) {
      if (auto done = write(*at, outcome); !done) return done.error();
    }
    at = open_.erase(at);
  }
  return {};
}

Result<void> CommandRecorder::write(Open const& open, Outcome outcome) {
  audit::CommandExec event;
  event.pid = open.pid;
  event.exe = open.request.exe;
  event.argv = open.request.argv;
  event.argv_cut = open.request.argv_cut;
  event.cwd = open.request.cwd;
  event.verified = outcome == Outcome::verified;
  if (outcome == Outcome::gone) event.mismatch = "the process ended before it could be looked at";
  if (outcome == Outcome::gone && open.request.missing) event.mismatch += ", and there was no such file just before";
  if (outcome == Outcome::different) {
    event.mismatch = describe_difference(open.request, open.process);
    if (!open.request.argv_cut) {
      event.exe = open.process.exe();
      event.argv = open.process.argv();
    }
  }
  event.ppid = open.status.ppid;
  event.uid = open.status.uid;
  event.parent = table_.last_of(open.pid);
  auto const seq = sink_.append(event);
  if (!seq) return seq.error();
  table_.executed(open.pid, *seq);
  if (auto watched = exits_.started(open.pid, *seq); !watched) return watched.error();
  return sink_.commit();
}

std::optional<std::chrono::steady_clock::time_point> CommandRecorder::next_look() const {
  auto const first = std::ranges::min_element(open_, {}, &Open::next_look);
  if (first == open_.end()) return std::nullopt;
  return first->next_look;
}

}  // namespace sallyport::jail
