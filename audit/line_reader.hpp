#pragma once
// Reads a log line by line in constant memory. One thread. Assumes a file that anybody may have written.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::audit {

struct Line {
  enum class End { line_feed, end_of_file, too_long };

  std::string_view text;  // without the line feed; valid until the next call
  std::uint64_t number;   // from 1
  End end;
};

class LineReader {
 public:
  static Result<LineReader> open(std::string const& path);

  /// The next line, or nothing at the end of the file. One longer than limits::kMaxAuditLineBytes comes as its first part,
  /// marked too_long; what follows then is its rest.
  Result<std::optional<Line>> next();

 private:
  LineReader(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<std::size_t> fill();

  UniqueFd fd_;
  std::string path_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what next() has not given out
  std::uint64_t number_ = 0;
};

}  // namespace sallyport::audit
