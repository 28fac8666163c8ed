#pragma once
// Accepts connections from one listening socket and starts their sessions.

#include "base/unique_fd.hpp"
#include "proxy/client_origin.hpp"
#include "proxy/original_destination.hpp"
#include "proxy/session.hpp"
#include "proxy/task_set.hpp"
#include "proxy/tenants.hpp"

#include <array>
#include <chrono>
#include <string>

namespace sallyport::proxy {

struct ListenerDeps {
  Tenants& tenants;
  Tenant* owner;  // whose own the listener is; null: nobody's
  TaskSet& live;  // one task a connection
  OriginalDestination const& destinations;
  ClientGate& gate;
};

/// Thread: its worker's. Lifetime: outlives run().
class Listener {
 public:
  /// Takes a listening stream socket: IPv4, IPv6 or Unix.
  static Result<Listener> adopt(asio::io_context& io, UniqueFd socket, Door door, ListenerDeps deps);

  /// Accepts until cancelled. A connection the gate does not admit, or that lacks a header it has to have, is reset at once, and a
  /// LimitHit says so at most once a second for each cause. Out of descriptors: waits, and goes on.
  awaitable<void> run();
  /// Accepts no more; run() ends.
  void stop();

 private:
  Listener(Acceptor acceptor, Door door, ListenerDeps deps) : acceptor_(std::move(acceptor)), door_(door), deps_(deps) {}
  void welcome(Socket socket);
  /// Of a load balancer: reads for whom it connects, and goes on with that one.
  awaitable<void> greet(Stream stream, ClientOrigin origin);
  void admit(Stream stream, ClientOrigin origin);
  void turn_away(Stream stream, TurnedAway why, std::string const& detail);

  Acceptor acceptor_;
  Door door_;
  ListenerDeps deps_;
  std::array<std::chrono::steady_clock::time_point, kTurnedAwayReasons> last_limit_hit_{};
};

}  // namespace sallyport::proxy
