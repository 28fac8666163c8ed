#pragma once
// What both ends of an HTTP/2 stream can do: take the peer's body, send one, give up. Thread: its worker's.
// Lifetime: owns its share of the session; may outlive the connection, and everything then fails with the reason of its end. Destroying it
// resets a stream that is not over. One reader and one writer at a time, which may be two coroutines.
// Does not set deadlines, but for a peer that takes nothing: H2Limits::stall_timeout. Source: RFC 9113 sections 5.1, 5.2, 8.1.

#include "proxy/h2_session.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::proxy {

class H2Stream {
 public:
  H2Stream(H2Stream&& other) noexcept = default;
  H2Stream& operator=(H2Stream&&) = delete;
  ~H2Stream();

  std::int32_t id() const { return state_->id; }

  /// The next bytes of the peer's body, valid until the next call; empty at its end. As much may come again once they were taken, which
  /// is when the next call is made: a reader that stops holds the peer to one window. What came before a reset is still delivered.
  awaitable<Result<std::string_view>> read_body();
  /// Of the peer's message, once read_body() was at its end.
  std::vector<Field> const& trailers() const { return state_->in.trailers; }

  /// Sends all of `bytes`, which outlive the await, as the peer opens its window. REQUIRES: the head was sent.
  /// Code::closed when the stream is cut, Code::limit when the peer took nothing for too long: the stream is then reset.
  awaitable<Result<void>> write_body(std::string_view bytes, EndStream end = EndStream::no);
  /// The end of the message, if write_body() did not say it.
  awaitable<Result<void>> finish(std::vector<Field> trailers = {});

  /// `code`: RFC 9113 section 7. Reads and writes that wait end with an error.
  void reset(std::uint32_t code);
  /// Waits until the stream is reset or its connection ends: what to run beside work that the peer may lose interest in.
  /// Does not return for a stream that ends in order as long as this handle has something to send.
  awaitable<void> wait_until_cut();
  /// Why nothing more can be sent; null while it can.
  Error const* cut() const { return state_->cut ? &*state_->cut : nullptr; }

 protected:
  H2Stream(std::shared_ptr<H2Session> session, H2Inbox::StreamPtr state)
      : session_(std::move(session)), state_(std::move(state)) {}
  H2Session& session() const { return *session_; }
  H2StreamState& state() const { return *state_; }

 private:
  /// Until what was given to the session is in frames.
  awaitable<Result<void>> wait_for_window();

  std::shared_ptr<H2Session> session_;
  H2Inbox::StreamPtr state_;
  std::string taken_;  // what the reader has
};

}  // namespace sallyport::proxy
