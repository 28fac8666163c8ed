#pragma once
// An AuditPort that keeps what it is given. Its records are written at once, never, or when the test says so.

#include "proxy/audit_port.hpp"
#include "tests/proxy/loopback.hpp"

#include <boost/asio/post.hpp>

#include <condition_variable>
#include <mutex>
#include <vector>

namespace sallyport::tests {

enum class Writing { at_once, held, failing };

/// record() and post() on the gateway's thread, the rest on any. Lifetime: outlives `io`'s run.
class FakeAudit final : public proxy::AuditPort {
 public:
  explicit FakeAudit(asio::io_context& io, Writing writing = Writing::at_once)
      : io_(io), writing_(writing), released_(io, Timer::time_point::max()) {}

  std::uint64_t next_request_id() override { return ++last_id_; }
  awaitable<Result<void>> record(audit::EgressRequest request) override { return keep(std::move(request)); }
  awaitable<Result<void>> record(audit::DnsQuery query) override { return keep(std::move(query)); }
  void post(audit::Event event) override {
    std::lock_guard const lock(mutex_);
    events_.push_back(std::move(event));
    changed_.notify_all();
  }
  awaitable<proxy::Asker> who_asks(audit::Flow) override { co_return proxy::Asker{}; }
  awaitable<void> wait_for_room() override { co_return; }

  /// The events of one kind once there are `count`, or those that came in time.
  template <class Kind>
  std::vector<Kind> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] { return collect<Kind>().size() >= count; });
    return collect<Kind>();
  }
  /// Held records, and all later ones, are written.
  void release() {
    asio::post(io_, [this] {
      writing_ = Writing::at_once;
      released_.cancel();
    });
  }

 private:
  awaitable<Result<void>> keep(audit::Event event) {
    post(std::move(event));
    if (writing_ == Writing::held) co_await released_.async_wait();
    if (writing_ == Writing::failing) co_return Error{Code::closed, 0, "the audit log is gone"};
    co_return Result<void>();
  }
  template <class Kind>
  std::vector<Kind> collect() const {
    std::vector<Kind> found;
    for (auto const& event : events_) {
      if (auto const* kind = std::get_if<Kind>(&event)) found.push_back(*kind);
    }
    return found;
  }

  asio::io_context& io_;
  Writing writing_;
  Timer released_;
  std::uint64_t last_id_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<audit::Event> events_;
};

}  // namespace sallyport::tests
