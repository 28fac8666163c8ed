#include "proxy/name_budget.hpp"

#include "dlp/plausible.hpp"
#include "policies/public_suffix.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kLongLabels = 40;  // what people name a host is shorter

/// The bytes in front of the registered domain, without dots, if nobody would name a host so.
std::size_t random_bytes_of(std::string_view name, std::string_view domain) {
  std::string labels(name.substr(0, name.size() - domain.size()));
  std::erase(labels, '.');
  return labels.size() > kLongLabels || dlp::is_random(labels) ? labels.size() : 0;
}

}  // namespace

NameBudget::Answer NameBudget::count(policies::CanonicalHost const& name) {
  auto const base = policies::registered_part(name.str());
  std::lock_guard const lock(mutex_);
  auto found = domains_.find(base);
  if (found == domains_.end()) {
    if (domains_.size() >= limits_.domains) return Answer::too_many_names;
    found = domains_.emplace(base, Domain{}).first;
  }
  auto& domain = found->second;
  if (domain.names.contains(name.str())) return Answer::within;
  auto const random = random_bytes_of(name.str(), base);
  if (domain.names.size() >= limits_.names) return Answer::too_many_names;
  if (random > 0 && domain.random_bytes + random > limits_.random_bytes) return Answer::too_many_random_bytes;
  domain.names.insert(name.str());
  domain.random_bytes += random;
  return Answer::within;
}

}  // namespace sallyport::proxy
