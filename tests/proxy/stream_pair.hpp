#pragma once
// A connection whose gateway end is a Stream and whose client end is a blocking socket; and awaiting in a plain test.

#include "base/asio.hpp"
#include "proxy/adopt_socket.hpp"
#include "proxy/stream.hpp"
#include "tests/proxy/loopback.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <sys/socket.h>

#include <chrono>
#include <future>
#include <optional>
#include <utility>

namespace sallyport::tests {

/// Runs `io` until `ended`; what else it has to do may stay undone.
inline void run_until(asio::io_context& io, std::future<void> ended) {
  io.restart();
  while (ended.wait_for(std::chrono::seconds(0)) != std::future_status::ready && io.run_one() != 0) {}
  ended.get();
}

template <class T>
awaitable<void> keep_result(std::optional<T>& result, awaitable<T> operation) {
  result.emplace(co_await std::move(operation));
}

/// Runs `operation` on `io` to its end, in this thread.
template <class T>
T run(asio::io_context& io, awaitable<T> operation) {
  std::optional<T> result;
  run_until(io, asio::co_spawn(io, keep_result(result, std::move(operation)), asio::use_future));
  return std::move(*result);
}

inline void run(asio::io_context& io, awaitable<void> operation) {
  run_until(io, asio::co_spawn(io, std::move(operation), asio::use_future));
}

/// The other end of `client`, accepted from `listener`.
inline proxy::Stream accepted_stream(asio::io_context& io, UniqueFd const& listener) {
  Socket socket(io);
  socket.assign(asio::ip::tcp::v4(), ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return proxy::Stream(std::move(socket));
}

/// What the kernel has of a small message on loopback it has when send() returned: a test may send first and await then.
struct StreamPair {
  asio::io_context io;
  UniqueFd listener = bound_socket(SocketKind::stream);
  UniqueFd client = connect_to(port_of(listener));
  proxy::Stream stream = accepted_stream(io, listener);
};

}  // namespace sallyport::tests
