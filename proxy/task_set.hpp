#pragma once
// Owner of spawned coroutines: the only co_spawn of this folder. It counts them, hears their end, and cancels them.

#include "base/asio.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <exception>
#include <functional>
#include <list>

namespace sallyport::proxy {

/// Thread: its worker's. Lifetime: outlives the tasks it started (it is destroyed after the io_context stopped running).
class TaskSet {
 public:
  /// `on_failure` hears every exception that leaves a task, except the one of a cancelled task.
  TaskSet(Executor executor, std::function<void(std::exception_ptr)> on_failure)
      : executor_(std::move(executor)), on_failure_(std::move(on_failure)) {}
  TaskSet(TaskSet const&) = delete;
  TaskSet& operator=(TaskSet const&) = delete;

  void start(awaitable<void> task);
  std::size_t size() const { return tasks_.size(); }
  /// Asks every task to end, as soon as the loop runs; each ends at its next wait.
  void cancel_all();

 private:
  void on_end(std::list<asio::cancellation_signal>::iterator task, std::exception_ptr failure);

  Executor executor_;
  std::function<void(std::exception_ptr)> on_failure_;
  std::list<asio::cancellation_signal> tasks_;
};

/// Whether `failure` only says that the coroutine was cancelled.
bool is_cancellation(std::exception_ptr failure);

}  // namespace sallyport::proxy
