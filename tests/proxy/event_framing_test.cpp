#include "proxy/event_framing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

using Events = std::vector<std::string>;

/// The events of a stream that comes in pieces of `step` bytes; what is not ended comes last.
Events events_of(std::string_view stream, std::size_t step) {
  EventFraming framing;
  Events events{""};
  for (std::size_t at = 0; at < stream.size(); at += step) {
    for (auto piece = stream.substr(at, step); !piece.empty();) {
      auto const end = framing.end_of_event(piece);
      events.back() += piece.substr(0, end.value_or(piece.size()));
      piece.remove_prefix(end.value_or(piece.size()));
      if (end) events.emplace_back();
    }
  }
  return events;
}

TEST(EventFraming, AnEmptyLineEndsAnEventWhateverLinesEndWith) {
  for (std::size_t const step : {1U, 2U, 3U, 100U}) {
    EXPECT_EQ(events_of("data: a\ndata: b\n\ndata: c\n\nrest", step), (Events{"data: a\ndata: b\n\n", "data: c\n\n", "rest"})) << step;
    EXPECT_EQ(events_of("data: a\r\rdata: b\r\r", step), (Events{"data: a\r\r", "data: b\r\r", ""})) << step;
    EXPECT_EQ(events_of("data: a\r\n\r\ndata: b\r\n\r\n", step), (Events{"data: a\r\n\r", "\n", "data: b\r\n\r", "\n", ""})) << step;
  }
}

TEST(EventFraming, TypeIsComparedWithoutItsParameters) {
  EXPECT_TRUE(is_event_stream("text/event-stream"));
  EXPECT_TRUE(is_event_stream("Text/Event-Stream; charset=utf-8"));
  EXPECT_FALSE(is_event_stream("text/event-streams"));
  EXPECT_FALSE(is_event_stream(""));
}

}  // namespace
}  // namespace sallyport::proxy
