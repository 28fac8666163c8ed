#include "proxy/deadline.hpp"

#include "base/check.hpp"

#include <utility>

namespace sallyport::proxy {

/// All deadlines of one event loop, which owns it.
class DeadlineService : public asio::execution_context::service {
 public:
  static asio::execution_context::id id;

  explicit DeadlineService(asio::io_context& io) : asio::execution_context::service(io), timer_(io.get_executor()) {}

  void add(Deadline& deadline) {
    waiting_.insert(deadline);
    if (deadline.at_ < wakes_at_) wake_at(deadline.at_);
  }

 private:
  using Waiting = boost::intrusive::multiset<Deadline, boost::intrusive::constant_time_size<false>>;

  void shutdown() override { timer_.cancel(); }

  void wake_at(Deadline::Time at) {
    wakes_at_ = at;
    timer_.expires_at(at);
    timer_.async_wait([this](boost::system::error_code ec) {
      if (!ec) wake();
    });
  }

  /// Deadlines that went away leave the timer as it is: it comes once for nothing.
  void wake() {
    wakes_at_ = Deadline::Time::max();
    auto const now = std::chrono::steady_clock::now();
    while (!waiting_.empty() && waiting_.begin()->at_ <= now) {
      auto& first = *waiting_.begin();
      waiting_.erase(waiting_.begin());
      first.on_over_();
    }
    if (!waiting_.empty()) wake_at(waiting_.begin()->at_);
  }

  Timer timer_;
  Deadline::Time wakes_at_ = Deadline::Time::max();
  Waiting waiting_;
};

asio::execution_context::id DeadlineService::id;

Deadline::Deadline(Executor const& executor, std::chrono::milliseconds delay, std::function<void()> on_over)
    : io_(executor.context()), on_over_(std::move(on_over)) {
  restart(std::chrono::steady_clock::now() + delay);
}

void Deadline::restart(Time at) {
  check(is_over(), "only a deadline that is over starts again");
  at_ = at;
  asio::use_service<DeadlineService>(io_).add(*this);
}

}  // namespace sallyport::proxy
