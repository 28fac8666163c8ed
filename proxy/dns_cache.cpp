#include "proxy/dns_cache.hpp"

#include "base/limits.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {
namespace {

std::chrono::seconds kept_for(Result<DnsAnswer> const& answer) {
  if (answer) return std::min(answer->ttl, limits::kMaxDnsTtl);
  return answer.error().code == Code::invalid ? limits::kNoSuchNameTtl : std::chrono::seconds(0);
}

}  // namespace

awaitable<Result<std::vector<policies::IpAddress>>> DnsCache::find(std::string name) {
  auto const entry = fresh_entry(name, co_await asio::this_coro::executor);
  if (!entry->result) co_await entry->done.async_wait();
  if (!entry->result) co_return Error{Code::closed, 0, "resolve " + name + ": given up"};
  co_return *entry->result;
}

/// What is kept and not too old, or a question that is under way; a new one otherwise.
std::shared_ptr<DnsCache::Entry> DnsCache::fresh_entry(std::string const& name, Executor executor) {
  auto const kept = entries_.find(name);
  if (kept != entries_.end() && (!kept->second->result || now_() < kept->second->until)) {
    metrics_.count_lookup(Lookup::kept);
    return kept->second;
  }
  if (kept == entries_.end()) make_room();
  auto entry = std::make_shared<Entry>(std::move(executor));
  entries_.insert_or_assign(name, entry);
  lookups_.start(look_up(name, entry));
  return entry;
}

awaitable<void> DnsCache::look_up(std::string name, std::shared_ptr<Entry> entry) {
  auto answer = co_await dns_.lookup(std::move(name));
  metrics_.count_lookup(answer ? Lookup::answered : Lookup::failed);
  entry->until = now_() + kept_for(answer);
  if (answer) {
    entry->result = std::move(answer->addresses);
  } else {
    entry->result = answer.error();
  }
  entry->done.cancel();
}

/// What is too old goes first, then whatever comes: a name that is asked for again costs one question.
void DnsCache::make_room() {
  if (entries_.size() < limits::kMaxCachedNames) return;
  std::erase_if(entries_, [now = now_()](auto const& each) { return each.second->result && each.second->until <= now; });
  if (entries_.size() >= limits::kMaxCachedNames) entries_.erase(entries_.begin());
}

}  // namespace sallyport::proxy
