#pragma once
// The requests and tunnels that are under way, so that a policy that comes later can end those it does not allow.

#include "policies/engine.hpp"
#include "policies/request.hpp"
#include "proxy/activity.hpp"

#include <cstddef>
#include <list>
#include <optional>

namespace sallyport::proxy {

/// Thread: its worker's. Lifetime: outlives its entries.
class LiveRequests {
  struct Live {
    policies::Request request;
    std::optional<policies::IpAddress> address;
    Activity& activity;
  };

 public:
  LiveRequests() = default;
  LiveRequests(LiveRequests const&) = delete;
  LiveRequests& operator=(LiveRequests const&) = delete;

  /// One that was decided, for as long as it lives. It has to be made before anything is awaited after the decision, or a
  /// policy that comes meanwhile misses it. Lifetime: what `request` views and `activity` outlive it.
  class Entry {
   public:
    Entry(LiveRequests& all, policies::Request request, Activity& activity)
        : all_(all), place_(all.live_.insert(all.live_.end(), Live{std::move(request), std::nullopt, activity})) {}
    Entry(Entry const&) = delete;
    Entry& operator=(Entry const&) = delete;
    ~Entry() { all_.live_.erase(place_); }

    /// The server's address, if it is known: the new policy has to admit it, too.
    void reached(std::optional<policies::IpAddress> const& address) { place_->address = address; }

   private:
    LiveRequests& all_;
    std::list<Live>::iterator place_;
  };

  /// Revokes the activity of those that `engine` does not allow; returns how many there are.
  std::size_t recheck(policies::Engine const& engine);
  std::size_t size() const { return live_.size(); }

 private:
  std::list<Live> live_;
};

}  // namespace sallyport::proxy
