#pragma once
// Blocking sockets on loopback for tests: a client's end, and an origin that counts who reached it. No call waits longer
// than kPatience.

#include "base/unique_fd.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace sallyport::tests {

inline constexpr std::chrono::seconds kPatience{20};

enum class SocketKind { stream, datagram };
/// Bound to 127.0.0.1 and a free port; a stream socket listens.
UniqueFd bound_socket(SocketKind kind);
std::uint16_t port_of(UniqueFd const& socket);
UniqueFd connect_to(std::uint16_t port, SocketKind kind = SocketKind::stream);

/// False when the other side is gone.
bool send_all(int fd, std::string_view bytes);
/// Up to `bytes`, less at the end of the stream or after a reset.
std::string receive(int fd, std::size_t bytes);
std::string receive_to_end(int fd);
/// Until `end` was received, which is part of the result.
std::string receive_until(int fd, std::string_view end);
enum class End { orderly, reset, none };
/// How the stream ends; what comes before is dropped.
End wait_end(int fd);
void shutdown_send(int fd);

/// A server on loopback: each connection is served by `serve` in a thread of its own.
class Origin {
 public:
  explicit Origin(std::function<void(int fd)> serve);
  ~Origin();
  Origin(Origin const&) = delete;
  Origin& operator=(Origin const&) = delete;
  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }

 private:
  void accept_loop();
  UniqueFd listener_;
  std::uint16_t port_;
  std::function<void(int)> serve_;
  std::atomic<int> connections_{0};
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

/// Sends back what it receives, until the end of the stream.
void echo(int fd);

}  // namespace sallyport::tests
