#pragma once
// What the `limits` of rules leave: counts requests, connections and uploaded bytes of one session. No I/O, no clock of its own.
// Any thread. Lifetime: outlives the sessions' connections. Does not stop anything: callers do what it answers.

#include "policies/policy.hpp"
#include "policies/verdict.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace sallyport::proxy {

/// Requests in a sliding minute, from the counts of this minute and the last one: never more than the limit in any minute of evenly
/// spread requests, and at most twice as many in the worst one. Constant memory.
class RateWindow {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  /// Counts one if that stays within `limit`.
  bool admit(std::uint32_t limit, time_point now);

 private:
  time_point start_{};
  std::uint32_t current_ = 0;
  std::uint32_t previous_ = 0;
};

class RuleBudget {
 public:
  using time_point = RateWindow::time_point;
  using Refused = std::optional<policies::Verdict>;  // nothing: go on

  RuleBudget() = default;
  RuleBudget(RuleBudget const&) = delete;
  RuleBudget& operator=(RuleBudget const&) = delete;

  /// One request more under `rule`, whose body is `declared` bytes long if that is known. A refused request counts for nothing.
  Refused start_request(policies::Rule const& rule, std::optional<std::uint64_t> declared, time_point now);

  /// `bytes` more of a request's body, of which `before` bytes have passed already. Refused before they go upstream.
  Refused upload(policies::Rule const& rule, std::uint64_t before, std::uint64_t bytes);

  /// Holds one of the rule's connections for as long as it lives.
  class Connection {
   public:
    Connection() = default;
    Connection(Connection&& other) noexcept : open_(std::move(other.open_)) {}
    Connection& operator=(Connection other) noexcept {
      std::swap(open_, other.open_);
      return *this;
    }
    ~Connection() {
      if (open_) --*open_;
    }

   private:
    friend class RuleBudget;
    explicit Connection(std::shared_ptr<std::atomic<std::uint32_t>> open) : open_(std::move(open)) { ++*open_; }
    std::shared_ptr<std::atomic<std::uint32_t>> open_;
  };
  /// An upstream connection more, or why not.
  boost::system::result<Connection, policies::Verdict> open_connection(policies::Rule const& rule);

 private:
  struct Usage {
    RateWindow requests;
    std::uint64_t uploaded = 0;
    std::shared_ptr<std::atomic<std::uint32_t>> open = std::make_shared<std::atomic<std::uint32_t>>(0);  // counted up with the mutex held
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Usage> usage_;  // by rule name; only rules that have limits
};

}  // namespace sallyport::proxy
