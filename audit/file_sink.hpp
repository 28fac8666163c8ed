#pragma once
// The audit log of one session in one file. One thread. Assumes a trusted disk and hostile field values; fails closed.
// A record counts as written when write(2) took it: it then survives the death of every process of ours, not a power cut.
// Open it after the gateway has been forked: what the sink reads of the signing key is not for that process.

#include "audit/line_writer.hpp"
#include "audit/sink.hpp"
#include "base/clock.hpp"
#include "base/unique_fd.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sallyport::audit {

/// Takes out of an event what must not be written.
using Scrub = std::function<void(Event&)>;

struct FileSinkOptions {
  std::string path;     // a new file; its directory is made (0700) if it does not exist
  std::string key_dir;  // where audit.key is, or will be made
  std::string session;  // written into every record
  Scrub scrub = {};     // empty: events are written as they are
};

class FileSink final : public Sink {
 public:
  /// Creates the file (0600). An existing file of this name, also a link, is an error: a log is never continued.
  /// `clock` outlives the sink.
  static Result<std::unique_ptr<FileSink>> open(FileSinkOptions options, Clock const& clock);

  /// The first event is the SessionStart, whose key the sink fills in. After a SessionEnd, whose counts the sink fills in,
  /// nothing more is taken. Adds a checkpoint when limits::kCheckpointRecords have gathered.
  Result<std::uint64_t> append(Event const& event) override;
  /// Fails, and undoes a partial write, when the disk is full or faulty, when the file has been removed, or when anybody
  /// else has changed its length.
  Result<void> commit() override;
  /// To be called about once a second. Writes a checkpoint if records have waited limits::kCheckpointInterval for one;
  /// fails if another file now stands at the path.
  Result<void> tick();

  /// Makes ready to sign, which the first signature would otherwise have to wait for (1-3 ms). To be called when there is time.
  Result<void> prepare_to_sign();

  std::string const& path() const { return path_; }
  /// What has been appended so far.
  Tally const& tally() const { return lines_.tally(); }

 private:
  FileSink(FileSinkOptions options, KeyFile key, UniqueFd fd, Clock const& clock);

  Result<std::uint64_t> append_checkpoint();
  Result<void> check_file() const;
  Result<void> check_path() const;
  Error fail(Error error);

  std::string path_;
  Scrub scrub_;
  UniqueFd fd_;
  Clock const& clock_;
  LineWriter lines_;
  std::string group_;             // lines since the last commit
  std::uint64_t file_bytes_ = 0;  // what we wrote
  std::uint64_t max_file_bytes_;  // RLIMIT_FSIZE; writing beyond it would be a signal
  std::chrono::steady_clock::time_point last_signed_;
  std::chrono::steady_clock::time_point next_path_check_;
  std::optional<Error> failure_;  // the first; every later call returns it
};

}  // namespace sallyport::audit
