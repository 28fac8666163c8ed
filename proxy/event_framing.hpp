#pragma once
// Where the events of an event stream end, as it comes in pieces. No I/O; one thread at a time. Hardened against hostile bytes.
// Source: WHATWG HTML section 9.2.5: an event ends with an empty line; a line with CR, LF, or CR LF.

#include <cstddef>
#include <optional>
#include <string_view>

namespace sallyport::proxy {

/// Whether a body of this Content-Type is text/event-stream.
bool is_event_stream(std::string_view content_type);

class EventFraming {
 public:
  /// How many of `bytes`, which come behind those of the calls before, belong to the event that is coming; nothing when all do and it goes on.
  std::optional<std::size_t> end_of_event(std::string_view bytes);

 private:
  bool after_cr_ = false;
  bool line_is_empty_ = true;
  bool between_events_ = true;
};

}  // namespace sallyport::proxy
