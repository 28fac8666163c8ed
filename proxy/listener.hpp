#pragma once
// Accepts connections from one listening socket and starts their sessions.

#include "base/unique_fd.hpp"
#include "proxy/original_destination.hpp"
#include "proxy/session.hpp"
#include "proxy/task_set.hpp"

#include <chrono>
#include <cstddef>

namespace sallyport::proxy {

struct ListenerDeps {
  SessionDeps sessions;
  TaskSet& live;  // one task a connection
  OriginalDestination const& destinations;
};

/// Thread: the gateway's. Lifetime: outlives run().
class Listener {
 public:
  /// Takes a listening TCP socket, IPv4 or IPv6.
  static Result<Listener> adopt(asio::io_context& io, UniqueFd socket, Door door, ListenerDeps deps);

  /// Accepts until cancelled. Above `max_connections` live sessions a connection is reset at once, and a LimitHit says so
  /// at most once a second. Out of descriptors: waits, and goes on.
  awaitable<void> run(std::size_t max_connections = limits::kMaxConnections);

 private:
  Listener(Acceptor acceptor, Door door, ListenerDeps deps) : acceptor_(std::move(acceptor)), door_(door), deps_(deps) {}
  void welcome(Socket socket);
  void turn_away(Socket socket, std::string why);

  Acceptor acceptor_;
  Door door_;
  ListenerDeps deps_;
  std::chrono::steady_clock::time_point last_limit_hit_;
};

}  // namespace sallyport::proxy
