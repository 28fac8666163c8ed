#include "audit/line_reader.hpp"

#include "base/limits.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>

namespace sallyport::audit {

namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;

}  // namespace

Result<LineReader> LineReader::open(std::string const& path) {
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY), "open " + path);
  if (!fd) return fd.error();
  return LineReader(std::move(*fd), path);
}

Result<std::optional<Line>> LineReader::next() {
  auto give = [this](std::size_t bytes, std::size_t skip, Line::End end) {
    Line line{std::string_view(buffer_).substr(begin_, bytes), ++number_, end};
    begin_ += bytes + skip;
    return std::optional(line);
  };
  for (std::size_t searched = 0;;) {
    auto const line_feed = buffer_.find('\n', begin_ + searched);
    auto const unread = buffer_.size() - begin_;
    auto const length = line_feed == std::string::npos ? unread : line_feed - begin_;
    if (length > limits::kMaxAuditLineBytes) return give(limits::kMaxAuditLineBytes, 0, Line::End::too_long);
    if (line_feed != std::string::npos) return give(length, 1, Line::End::line_feed);
    searched = unread;

    auto const got = fill();
    if (!got) return got.error();
    if (*got > 0) continue;
    if (unread == 0) return std::optional<Line>();
    return give(unread, 0, Line::End::end_of_file);
  }
}

/// Moves what is unread to the front and reads a block behind it; 0 at the end of the file.
Result<std::size_t> LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  auto const size = buffer_.size();
  buffer_.resize(size + kBlockBytes);
  ssize_t got = -1;
  do { got = ::read(fd_.get(), buffer_.data() + size, kBlockBytes); } while (got < 0 && errno == EINTR);
  int const read_errno = errno;
  buffer_.resize(size + static_cast<std::size_t>(got < 0 ? 0 : got));
  if (got < 0) return Error::os(read_errno, "read " + path_);
  return static_cast<std::size_t>(got);
}

}  // namespace sallyport::audit
