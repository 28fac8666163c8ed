#pragma once
// What the peer of an HTTP/2 connection sends, sorted by stream and held to the limits. No I/O; knows nothing of frames.
// Thread: its worker's. Hardened against hostile peers. Source: RFC 9113 sections 5.1, 6.8, 8.1, 10.5.

#include "base/asio.hpp"
#include "proxy/activity.hpp"
#include "proxy/h2_flood.hpp"
#include "proxy/h2_limits.hpp"
#include "proxy/h2_stream_state.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sallyport::proxy {

enum class H2Side { server, client };

class H2Inbox {
 public:
  using StreamPtr = std::shared_ptr<H2StreamState>;
  /// The error code (RFC 9113 section 7) that the stream is to be reset with, if it is.
  using Reset = std::optional<std::uint32_t>;

  H2Inbox(H2Side side, H2Limits const& bounds, Executor executor);
  H2Inbox(H2Inbox const&) = delete;
  H2Inbox& operator=(H2Inbox const&) = delete;

  H2Side side() const { return side_; }
  H2Limits const& bounds() const { return bounds_; }
  H2FloodGuard& guard() { return guard_; }
  /// Why the connection is over before its time: the first reason given to fail().
  std::optional<Error> const& failure() const { return failure_; }
  void fail(Error why) {
    if (!failure_) failure_ = std::move(why);
  }

  /// A stream that we open.
  StreamPtr add(std::int32_t id);
  /// The next request, whole or malformed; null if there is none. Whoever takes it gives it back with release().
  StreamPtr take_request();
  void release(H2StreamState& stream);
  /// Streams that somebody holds, or that wait to be taken.
  std::size_t live() const { return live_; }
  std::size_t open() const { return streams_.size(); }
  /// Body bytes that wait to be taken.
  std::size_t buffered_bytes() const;
  H2StreamState* find(std::int32_t id);
  bool draining() const { return draining_; }
  bool has_settings() const { return has_settings_; }
  Wakeup& released() { return released_; }
  Wakeup& settings_came() { return settings_came_; }
  /// Touched when a stream begins or is given back.
  Activity& activity() { return activity_; }

  // What happens, in the order of the frames.
  Reset on_begin_request(std::int32_t id);
  Reset on_field(std::int32_t id, std::string_view name, std::string_view value);
  Reset on_head(std::int32_t id, EndStream end);
  /// The bytes are taken, or dropped when nobody wants them; returns how many were dropped.
  std::size_t on_data(std::int32_t id, std::string_view bytes);
  void on_end(std::int32_t id);
  /// What came is no HTTP message.
  void on_malformed(std::int32_t id, std::string_view what);
  void on_close(std::int32_t id, std::uint32_t code);
  void on_settings();
  void on_goaway();
  /// The connection is over, and with it every stream.
  void end(Error const& why);

 private:
  void begin_block(H2StreamState& stream);
  Reset take_request_head(H2StreamState& stream, EndStream end);
  Reset take_response_head(H2StreamState& stream, EndStream end);
  Reset take_trailers(H2StreamState& stream);
  void deliver(H2StreamState& stream, Result<H2Request> request);

  H2Side side_;
  H2Limits bounds_;
  Executor executor_;
  H2FloodGuard guard_;
  std::optional<Error> failure_;
  std::unordered_map<std::int32_t, StreamPtr> streams_;
  std::deque<StreamPtr> requests_;
  std::size_t live_ = 0;
  bool draining_ = false;
  bool has_settings_ = false;
  Wakeup released_;
  Wakeup settings_came_;
  Activity activity_;
};

}  // namespace sallyport::proxy
