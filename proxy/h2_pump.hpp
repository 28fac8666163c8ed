#pragma once
// Moves the bytes of one HTTP/2 connection between its session and its stream. Thread: its worker's.

#include "proxy/activity.hpp"
#include "proxy/h2_session.hpp"
#include "proxy/stream.hpp"

#include <functional>

namespace sallyport::proxy {

class H2Pump {
 public:
  /// `fed` is called when bytes from the peer were taken in. Lifetime: both outlive the await of run().
  H2Pump(Stream& stream, H2Session& session, std::function<void()> fed);

  /// Until nothing more is to be said. Code::closed when the peer goes away while streams are open, Code::limit when it floods, or takes
  /// nothing for H2Limits::stall_timeout; Code::invalid for a protocol error. A connection without streams is shut down after
  /// H2Limits::keep_alive_timeout. Does not close the stream.
  awaitable<Result<void>> run();

 private:
  awaitable<Result<void>> read();
  awaitable<Result<void>> write();
  awaitable<Result<void>> watch_writes();
  awaitable<Result<void>> watch_idle();

  Stream& stream_;
  H2Session& session_;
  std::function<void()> fed_;
  Activity writes_;
  enum class Writing { no, yes } writing_ = Writing::no;
};

}  // namespace sallyport::proxy
