#pragma once
// Answers of name servers for as long as they may be kept, names that do not exist for a moment, and one question for all who ask at once.
// Whether an address may be dialled is asked anew for each request, of the same answer. Thread: its worker's.

#include "proxy/cares_channel.hpp"
#include "proxy/metrics.hpp"
#include "proxy/task_set.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sallyport::proxy {

class DnsCache {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  /// All outlive it. `lookups` carry the questions: who asked first may go, the answer is for all.
  DnsCache(CaresChannel& dns, TaskSet& lookups, Metrics& metrics, Now now = std::chrono::steady_clock::now)
      : dns_(dns), lookups_(lookups), metrics_(metrics), now_(std::move(now)) {}

  /// As CaresChannel::lookup(). Failures other than "there is no such name" are kept for nobody but those who wait. Cancel-safe.
  awaitable<Result<std::vector<policies::IpAddress>>> find(std::string name);

  /// Names that are kept or asked for; at most limits::kMaxCachedNames.
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    explicit Entry(Executor executor) : done(std::move(executor), Timer::time_point::max()) {}
    Timer done;  // those who wait for the answer wait for it
    std::optional<Result<std::vector<policies::IpAddress>>> result;
    std::chrono::steady_clock::time_point until;  // of the result
  };

  std::shared_ptr<Entry> fresh_entry(std::string const& name, Executor executor);
  awaitable<void> look_up(std::string name, std::shared_ptr<Entry> entry);
  void make_room();

  CaresChannel& dns_;
  TaskSet& lookups_;
  Metrics& metrics_;
  Now now_;
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace sallyport::proxy
