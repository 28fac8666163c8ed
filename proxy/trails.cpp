#include "proxy/trails.hpp"

#include <utility>

namespace sallyport::proxy {

std::vector<dlp::Finding> HostTrail::look(dlp::Scanner::Setup const& setup, Values const& values) const {
  std::lock_guard const lock(mutex_);
  return trail_.look(setup, values);
}

void HostTrail::leave(dlp::Scanner::Setup const& setup, Values const& values, std::function<bool(std::vector<dlp::Finding>)> const& judge) {
  std::lock_guard const lock(mutex_);
  if (judge(trail_.look(setup, values))) trail_.add(values);
}

std::shared_ptr<HostTrail> Trails::of(std::string const& host) {
  std::lock_guard const lock(mutex_);
  auto& trail = trails_[host];
  if (trail) return trail;
  trail = std::make_shared<HostTrail>();
  auto const made = trail;
  hosts_.push_back(host);
  if (hosts_.size() > kMaxHosts) {
    trails_.erase(hosts_.front());
    hosts_.pop_front();
  }
  return made;
}

}  // namespace sallyport::proxy
