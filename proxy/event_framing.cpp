#include "proxy/event_framing.hpp"

#include "base/ascii.hpp"

namespace sallyport::proxy {

bool is_event_stream(std::string_view content_type) {
  constexpr std::string_view kType = "text/event-stream";
  auto const type = content_type.substr(0, content_type.find_first_of("; \t"));
  return lower_case(type) == kType;
}

std::optional<std::size_t> EventFraming::end_of_event(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bool const is_rest_of_line_end = after_cr_ && bytes[i] == '\n';
    after_cr_ = bytes[i] == '\r';
    if (is_rest_of_line_end && between_events_) return i + 1;  // its CR has gone with the event before
    if (is_rest_of_line_end) continue;
    bool const is_line_end = bytes[i] == '\r' || bytes[i] == '\n';
    between_events_ = is_line_end && line_is_empty_;
    line_is_empty_ = is_line_end;
    if (between_events_) return i + 1;
  }
  return std::nullopt;
}

}  // namespace sallyport::proxy
