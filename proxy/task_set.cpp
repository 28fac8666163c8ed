#include "proxy/task_set.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/system/system_error.hpp>

namespace sallyport::proxy {

void TaskSet::start(awaitable<void> task) {
  auto const place = tasks_.emplace(tasks_.end());
  asio::co_spawn(
      executor_, std::move(task),
      asio::bind_cancellation_slot(place->slot(), [this, place](std::exception_ptr failure) { on_end(place, failure); }));
}

void TaskSet::on_end(std::list<asio::cancellation_signal>::iterator task, std::exception_ptr failure) {
  tasks_.erase(task);
  if (failure && !is_cancellation(failure)) on_failure_(failure);
}

/// On the loop, always: asked from elsewhere, Asio passes the signal on later, to a task that may have ended by then.
void TaskSet::cancel_all() {
  asio::dispatch(executor_, [this] {
    for (auto task = tasks_.begin(); task != tasks_.end();) {
      auto const current = task++;  // emitting may end the task and erase it
      current->emit(asio::cancellation_type::terminal);
    }
  });
}

bool is_cancellation(std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (boost::system::system_error const& error) {
    return error.code() == asio::error::operation_aborted;
  } catch (...) { return false; }
}

}  // namespace sallyport::proxy
