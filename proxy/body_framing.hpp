#pragma once
// Where a message body ends. No I/O; one reader per body. Hardened against hostile bytes. Source: RFC 9112 sections 6, 7.

#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// Takes raw bytes of a body apart: which of them are wire bytes of this body, which of those are content, and when it is over.
/// Sizes are checked against overflow.
class BodyReader {
 public:
  explicit BodyReader(BodyKind kind);

  struct Step {
    std::size_t consumed = 0;  // of `bytes`; the rest belongs to the next message
    bool done = false;
  };
  /// Never blocks or throws. Chunked: chunk sizes of at most 16 hex digits without sign or space, extension and trailer
  /// lines bounded by limits, framing fields in trailers refused.
  Result<Step> feed(std::string_view bytes);
  /// The same, and appends the content of what it consumed.
  Result<Step> feed(std::string_view bytes, std::string& content);
  bool done() const { return done_; }
  /// Content bytes seen so far, without chunk framing.
  std::uint64_t content_bytes() const { return content_bytes_; }
  /// Fields behind a chunked body, complete when it is done.
  std::vector<Field> const& trailers() const { return trailers_; }
  /// The other side closed: fine for UntilClose, an error (Code::closed) for a body that is not over.
  Result<void> finish();

 private:
  enum class State { size_line, data, data_end, trailer };
  Result<Step> feed_into(std::string_view bytes, std::string* content);
  Result<Step> feed_chunked(std::string_view bytes, std::string* content);
  std::size_t take_content(std::string_view bytes, std::string* content);
  /// Moves bytes up to and with the next LF into line_.
  Result<std::size_t> take_line(std::string_view bytes);
  Result<void> end_line();

  BodyKind kind_;
  State state_ = State::size_line;
  std::uint64_t remaining_ = 0;
  std::string line_;  // an unfinished chunk-size or trailer line
  std::size_t trailer_bytes_ = 0;
  std::vector<Field> trailers_;
  std::uint64_t content_bytes_ = 0;
  bool done_ = false;
};

}  // namespace sallyport::proxy
