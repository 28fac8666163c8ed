#include "proxy/shared_upstream.hpp"

#include <utility>

namespace sallyport::proxy {

std::optional<SharedUpstream::Taken> SharedUpstream::take(UpstreamKey const& key, policies::AllowedTarget const& permit,
                                                          policies::Engine const& engine) const {
  if (!upstream_ || upstream_->key() != key || !upstream_->connection().can_open()) return std::nullopt;
  auto endpoints = admitted_again(permit, upstream_->address(), engine);
  if (endpoints.empty()) return std::nullopt;
  return Taken{upstream_, std::move(endpoints)};
}

/// Ends the waits that are under way, and those that begin before the last of them is gone.
SharedUpstream::Turn::~Turn() {
  if (gate_) gate_->expires_at(Timer::time_point::min());
}

std::optional<SharedUpstream::Turn> SharedUpstream::take_turn(Executor const& executor) {
  auto const current = dialling_.lock();
  if (current && current->expiry() == Timer::time_point::max()) return std::nullopt;
  auto gate = std::make_shared<Timer>(executor, Timer::time_point::max());
  dialling_ = gate;
  return Turn(std::move(gate));
}

awaitable<void> SharedUpstream::wait_for_turn() const {
  auto const gate = dialling_.lock();
  if (gate) co_await gate->async_wait();
}

}  // namespace sallyport::proxy
