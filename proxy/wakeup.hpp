#pragma once
// Lets one coroutine wait for what another one does. Thread: its worker's, both. Lifetime: outlives the wait.
// Remembers nothing: look at the condition, then wait, then look again.

#include "base/asio.hpp"

#include <chrono>

namespace sallyport::proxy {

class Wakeup {
 public:
  enum class Wake { notified, timed_out };

  explicit Wakeup(Executor executor) : timer_(std::move(executor)) {}
  Wakeup(Wakeup const&) = delete;
  Wakeup& operator=(Wakeup const&) = delete;

  void notify() { timer_.cancel(); }
  /// Until notify(), or until cancelled. One waiter at a time.
  awaitable<void> wait();
  /// The same, but for `timeout` at most.
  awaitable<Wake> wait_for(std::chrono::milliseconds timeout);

 private:
  Timer timer_;
};

}  // namespace sallyport::proxy
