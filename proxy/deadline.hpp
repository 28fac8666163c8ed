#pragma once
// Deadlines of waits: thousands of them stand at a time, nearly none is ever reached. One timer of the event loop serves all.

#include "base/asio.hpp"

#include <boost/intrusive/set.hpp>

#include <chrono>
#include <functional>

namespace sallyport::proxy {

/// Calls `on_over` when its time is over, unless it is gone by then. Thread: the event loop's.
class Deadline : public boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `on_over` does not destroy deadlines; it may restart this one.
  Deadline(Executor const& executor, std::chrono::milliseconds delay, std::function<void()> on_over);
  Deadline(Deadline const&) = delete;
  Deadline& operator=(Deadline const&) = delete;

  bool is_over() const { return !is_linked(); }
  /// REQUIRES: it is over.
  void restart(Time at);

  friend bool operator<(Deadline const& one, Deadline const& other) { return one.at_ < other.at_; }

 private:
  friend class DeadlineService;

  asio::io_context& io_;
  Time at_;
  std::function<void()> on_over_;
};

}  // namespace sallyport::proxy
