#pragma once
// Two HTTP/2 connections that speak to each other over loopback, in one thread; and requests through them.

#include "proxy/h2_client.hpp"
#include "proxy/h2_server.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::tests {

inline Socket connected_socket(asio::io_context& io, UniqueFd const& listener) {
  Socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), port_of(listener)});
  socket.set_option(asio::ip::tcp::no_delay(true));  // as the dialer does
  return socket;
}

/// As the listener accepts.
inline proxy::Stream accepted_without_delay(asio::io_context& io, UniqueFd const& listener) {
  auto stream = accepted_stream(io, listener);
  stream.socket().set_option(asio::ip::tcp::no_delay(true));
  return stream;
}

/// The server's end, with a blocking socket at the other one.
struct H2Server {
  explicit H2Server(proxy::H2ServerConnection::Handler handler, proxy::H2Limits bounds = {}) : connection(pair.stream, bounds, tasks) {
    runs.start(keep_result(ended, connection.run(std::move(handler))));
  }
  ~H2Server() {
    pair.stream.close();
    pair.io.restart();
    pair.io.run();
  }
  Result<void> run_to_end() {
    while (!ended && pair.io.run_one() != 0) {}
    return ended.value();
  }

  static void rethrow(std::exception_ptr failure) { std::rethrow_exception(std::move(failure)); }
  StreamPair pair;
  proxy::TaskSet tasks{pair.io.get_executor(), rethrow};
  proxy::TaskSet runs{pair.io.get_executor(), rethrow};
  proxy::H2ServerConnection connection;
  std::optional<Result<void>> ended;
};

/// Both ends are ours.
struct H2Pair {
  explicit H2Pair(proxy::H2ServerConnection::Handler handler, proxy::H2Limits server_bounds = {},
                  proxy::H2Limits client_bounds = proxy::H2Limits::for_servers())
      : server(server_stream, server_bounds, tasks), client(client_stream, client_bounds) {
    runs.start(keep_result(server_ended, server.run(std::move(handler))));
    runs.start(keep_result(client_ended, client.run()));
  }
  ~H2Pair() {
    client_stream.close();
    server_stream.close();
    io.restart();
    io.run();
  }
  template <class T>
  T run(awaitable<T> operation) {
    return tests::run(io, std::move(operation));
  }

  asio::io_context io;
  UniqueFd listener = bound_socket(SocketKind::stream);
  proxy::Stream client_stream{connected_socket(io, listener)};
  proxy::Stream server_stream = accepted_without_delay(io, listener);
  proxy::TaskSet tasks{io.get_executor(), H2Server::rethrow};
  proxy::TaskSet runs{io.get_executor(), H2Server::rethrow};
  proxy::H2ServerConnection server;
  proxy::H2ClientConnection client;
  std::optional<Result<void>> server_ended;
  std::optional<Result<void>> client_ended;
};

inline proxy::HttpTarget h2_target(std::string const& path = "/") {
  return {policies::CanonicalHost::from("a.example").value(), 443, policies::CanonicalPath::from(path).value(), proxy::UrlScheme::https};
}

inline proxy::RequestHead h2_head(std::string method) {
  proxy::RequestHead head;
  head.method = std::move(method);
  return head;
}

inline proxy::H2ClientStream open_stream(proxy::H2ClientConnection& client, std::string method, proxy::EndStream end) {
  return client.open(h2_head(std::move(method)), h2_target(), {end, {}}).value();
}

/// Everything up to the end of the body, or the error in front of it.
awaitable<Result<std::string>> read_all(proxy::H2Stream& stream);

/// Sends back what it gets, with its trailers.
awaitable<void> echo_stream(proxy::H2ServerStream stream);

struct H2Answer {
  Result<proxy::ResponseHead> head = Error{};
  Result<std::string> body = Error{};
  std::vector<proxy::Field> trailers;
};
/// Sends `body` and `trailers` while it reads the answer.
awaitable<H2Answer> post(proxy::H2ClientConnection& client, std::string_view body, std::vector<proxy::Field> trailers);

/// Bytes that do not repeat soon.
std::string bulk(std::size_t size);

}  // namespace sallyport::tests
