#pragma once
// Which clients may connect, and how many connections each may have at a time. Counts; does no I/O.
// Any thread. Lifetime: outlives its tickets.

#include "base/limits.hpp"
#include "policies/address_class.hpp"

#include <boost/system/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sallyport::proxy {

struct ClientRules {
  std::optional<std::vector<policies::Cidr>> allowed =
      std::nullopt;                                       // besides loopback; absent: whoever can reach a listener
  std::size_t max_connections = limits::kMaxConnections;  // of all clients together
  std::size_t max_per_client = limits::kMaxConnections;   // of one source address
  std::vector<policies::Cidr> balancers = {};             // whose connections begin by saying for whom they are (proxy/proxy_header)
  bool balancers_on_unix = false;                         // so do all connections to Unix listeners
};

/// Why a connection is closed before a byte of it is read.
enum class TurnedAway { client, total, per_client, no_header };
inline constexpr std::size_t kTurnedAwayReasons = 4;
/// The `limit` of a limit.hit record and the label of the metric.
std::string_view word_of(TurnedAway why);

[[noreturn]] inline void throw_exception_from_error(TurnedAway, boost::source_location const&) {
  throw std::runtime_error("turned away");
}

class ClientGate {
 public:
  explicit ClientGate(ClientRules rules) : rules_(std::move(rules)) {}
  ClientGate(ClientGate const&) = delete;
  ClientGate& operator=(ClientGate const&) = delete;

  /// Holds a client's place for as long as it lives.
  class Ticket {
   public:
    Ticket() = default;
    Ticket(Ticket&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)), client_(std::move(other.client_)) {}
    Ticket& operator=(Ticket other) noexcept {
      std::swap(gate_, other.gate_);
      std::swap(client_, other.client_);
      return *this;
    }
    ~Ticket() {
      if (gate_ != nullptr) gate_->leave(client_);
    }

   private:
    friend class ClientGate;
    Ticket(ClientGate& gate, std::string client) : gate_(&gate), client_(std::move(client)) {}
    ClientGate* gate_ = nullptr;
    std::string client_;
  };

  /// One connection more of `client`: its source address, or a local user. `address` is absent for a client on this
  /// machine.
  boost::system::result<Ticket, TurnedAway> admit(std::string client, std::optional<policies::IpAddress> const& address);

  /// Whether a connection from `address` (absent: to a Unix listener) has to begin with the header of a load balancer.
  bool is_balancer(std::optional<policies::IpAddress> const& address) const;
  /// One more that was turned away before it came to admit().
  void count(TurnedAway why);

  struct Counts {
    std::size_t open = 0;  // now
    std::uint64_t admitted = 0;
    std::array<std::uint64_t, kTurnedAwayReasons> turned_away{};
  };
  Counts counts() const;
  ClientRules const& rules() const { return rules_; }

 private:
  std::optional<TurnedAway> objection(std::string const& client, std::optional<policies::IpAddress> const& address) const;
  void leave(std::string const& client);

  ClientRules const rules_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> per_client_;  // only those with connections
  Counts counts_;
};

}  // namespace sallyport::proxy
