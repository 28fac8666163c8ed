#include "proxy/client_gate.hpp"

#include <algorithm>

namespace sallyport::proxy {

std::string_view word_of(TurnedAway why) {
  constexpr std::array<std::string_view, kTurnedAwayReasons> kWords = {"client_not_allowed", "connections",
                                                                       "connections_per_client", "proxy_protocol"};
  return kWords.at(static_cast<std::size_t>(why));
}

bool ClientGate::is_balancer(std::optional<policies::IpAddress> const& address) const {
  if (!address) return rules_.balancers_on_unix;
  return std::ranges::any_of(rules_.balancers, [&](auto const& block) { return block.contains(*address); });
}

std::optional<TurnedAway> ClientGate::objection(std::string const& client,
                                                std::optional<policies::IpAddress> const& address) const {
  bool const is_local = !address || policies::classify(*address) == policies::AddressClass::loopback;
  if (!is_local && rules_.allowed &&
      std::ranges::none_of(*rules_.allowed, [&](auto const& block) { return block.contains(*address); }))
    return TurnedAway::client;
  if (counts_.open >= rules_.max_connections) return TurnedAway::total;
  auto const found = per_client_.find(client);
  if (found != per_client_.end() && found->second >= rules_.max_per_client) return TurnedAway::per_client;
  return std::nullopt;
}

boost::system::result<ClientGate::Ticket, TurnedAway> ClientGate::admit(std::string client,
                                                                        std::optional<policies::IpAddress> const& address) {
  std::lock_guard const lock(mutex_);
  if (auto const why = objection(client, address)) {
    ++counts_.turned_away.at(static_cast<std::size_t>(*why));
    return *why;
  }
  ++counts_.open;
  ++counts_.admitted;
  ++per_client_[client];
  return Ticket(*this, std::move(client));
}

void ClientGate::count(TurnedAway why) {
  std::lock_guard const lock(mutex_);
  ++counts_.turned_away.at(static_cast<std::size_t>(why));
}

ClientGate::Counts ClientGate::counts() const {
  std::lock_guard const lock(mutex_);
  return counts_;
}

void ClientGate::leave(std::string const& client) {
  std::lock_guard const lock(mutex_);
  --counts_.open;
  auto const found = per_client_.find(client);
  if (--found->second == 0) per_client_.erase(found);
}

}  // namespace sallyport::proxy
