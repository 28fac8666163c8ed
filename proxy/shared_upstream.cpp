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

SharedUpstream::Turn::~Turn() {
  if (gate_) gate_->cancel();
}

std::optional<SharedUpstream::Turn> SharedUpstream::take_turn(asio::any_io_executor const& executor) {
  if (!dialling_.expired()) return std::nullopt;
  auto gate = std::make_shared<Timer>(executor, Timer::time_point::max());
  dialling_ = gate;
  return Turn(std::move(gate));
}

awaitable<void> SharedUpstream::wait_for_turn() const {
  auto const gate = dialling_.lock();
  if (gate) co_await gate->async_wait();
}

}  // namespace sallyport::proxy
