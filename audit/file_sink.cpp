#include "audit/file_sink.hpp"

#include "audit/files.hpp"
#include "base/limits.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace sallyport::audit {

namespace {

constexpr std::size_t kGroupBytes = 16 * 1024;  // room made at the start for the lines of one group

std::uint64_t file_size_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) return RLIM_INFINITY;
  return limit.rlim_cur;
}

Error changed(std::string const& path, char const* how) {
  return Error{Code::closed, 0, "audit log " + path + " " + how + " while the session was running"};
}

Event scrubbed(Event event, Scrub const& scrub) {
  scrub(event);
  return event;
}

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::open(FileSinkOptions options, Clock const& clock) {
  auto const dir = std::filesystem::path(options.path).parent_path().string();
  if (auto made = make_private_dirs(dir); !made) return made.error();
  auto key = load_or_create_key(options.key_dir);
  if (!key) return key.error();
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
  auto fd = UniqueFd::adopt(::open(options.path.c_str(), kFlags, 0600), "create audit log " + options.path);
  if (!fd) return fd.error();
  return std::unique_ptr<FileSink>(new FileSink(std::move(options), std::move(*key), std::move(*fd), clock));
}

FileSink::FileSink(FileSinkOptions options, KeyFile key, UniqueFd fd, Clock const& clock)
    : path_(std::move(options.path)),
      scrub_(std::move(options.scrub)),
      fd_(std::move(fd)),
      clock_(clock),
      lines_(std::move(options.session), std::move(key)),
      max_file_bytes_(file_size_limit()),
      last_signed_(clock.now()),
      next_path_check_(clock.now()) {
  group_.reserve(kGroupBytes);
}

Result<std::uint64_t> FileSink::append(Event const& event) {
  if (failure_) return *failure_;
  auto const seq = lines_.add(group_, scrub_ ? scrubbed(event, scrub_) : event, clock_.wall_now());
  if (!seq) return fail(seq.error());
  if (!lines_.ended() && lines_.unsigned_records() + 1 >= limits::kCheckpointRecords) {
    if (auto checkpoint = append_checkpoint(); !checkpoint) return checkpoint.error();
  }
  return *seq;
}

Result<void> FileSink::commit() {
  if (failure_) return *failure_;
  if (group_.empty()) return {};
  if (auto intact = check_file(); !intact) return fail(intact.error());
  if (group_.size() > max_file_bytes_ - file_bytes_) {
    return fail(Error::os(EFBIG, "write audit log " + path_ + " (file size limit, ulimit -f)"));
  }
  if (auto written = write_all(fd_.get(), group_, "audit log " + path_); !written) {
    // Without this a group that was cut short would read as tampering. If it fails too, the log ends in half a line.
    (void)!::ftruncate(fd_.get(), static_cast<off_t>(file_bytes_));
    return fail(written.error());
  }
  file_bytes_ += group_.size();
  group_.clear();
  return {};
}

Result<void> FileSink::prepare_to_sign() {
  if (failure_) return *failure_;
  if (auto ready = lines_.prepare_to_sign(); !ready) return fail(ready.error());
  return {};
}

Result<void> FileSink::tick() {
  if (failure_) return *failure_;
  if (clock_.now() >= next_path_check_) {
    next_path_check_ = clock_.now() + limits::kAuditPathCheckInterval;
    if (auto same = check_path(); !same) return fail(same.error());
  }
  if (lines_.ended() || lines_.unsigned_records() == 0) return commit();
  if (clock_.now() - last_signed_ < limits::kCheckpointInterval) return commit();
  if (auto checkpoint = append_checkpoint(); !checkpoint) return checkpoint.error();
  return commit();
}

Result<std::uint64_t> FileSink::append_checkpoint() {
  auto const seq = lines_.add_checkpoint(group_, clock_.wall_now());
  if (!seq) return fail(seq.error());
  last_signed_ = clock_.now();
  return seq;
}

/// One system call: the file still has a name, and exactly the bytes that we put there.
Result<void> FileSink::check_file() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return Error::os(errno, "fstat audit log " + path_);
  if (status.st_nlink == 0) return changed(path_, "was removed");
  if (static_cast<std::uint64_t>(status.st_size) != file_bytes_) return changed(path_, "was changed by others");
  return {};
}

/// The file at the path is the one that is open.
Result<void> FileSink::check_path() const {
  struct stat ours {};
  struct stat named {};
  if (::fstat(fd_.get(), &ours) != 0) return Error::os(errno, "fstat audit log " + path_);
  if (::lstat(path_.c_str(), &named) != 0) return changed(path_, "was removed or renamed");
  if (ours.st_dev != named.st_dev || ours.st_ino != named.st_ino) return changed(path_, "was replaced");
  return {};
}

Error FileSink::fail(Error error) {
  failure_ = std::move(error);
  return *failure_;
}

}  // namespace sallyport::audit
