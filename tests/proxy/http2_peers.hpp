#pragma once
// The two sides of a gateway that intercepts HTTP/2: a server in a thread of its own, and a client inside a tunnel. Both speak by the
// product's own HTTP/2 connections over real TLS on loopback.

#include "proxy/h2_client.hpp"
#include "proxy/h2_server.hpp"
#include "tests/proxy/gateway_harness.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/tls_peer.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <thread>

namespace sallyport::tests {

/// Accepts HTTP/2 and nothing else: who does not offer it gets a fatal alert.
class Http2Origin {
 public:
  using Handler = proxy::H2ServerConnection::Handler;
  /// `handler` runs in the server's thread. Lifetime: what it refers to outlives this.
  Http2Origin(TestAuthority const& authority, std::vector<std::string> const& names, Handler handler, proxy::H2Limits bounds = {});
  ~Http2Origin();
  Http2Origin(Http2Origin const&) = delete;
  Http2Origin& operator=(Http2Origin const&) = delete;

  std::uint16_t port() const { return port_; }
  int connections() const { return connections_; }
  int requests() const { return requests_; }
  /// GOAWAY on every connection: what is under way goes on.
  void shut_down();
 private:
  awaitable<void> accept_all();
  awaitable<void> serve(Socket socket);
  /// In the server's thread, to its end.
  void in_thread(std::function<void()> work);

  asio::io_context io_;
  UniqueFd listener_ = bound_socket(SocketKind::stream);
  std::uint16_t port_ = port_of(listener_);
  Acceptor acceptor_;
  proxy::SslContextPtr context_;
  Handler handler_;
  proxy::H2Limits bounds_;
  std::atomic<int> connections_{0}, requests_{0};
  proxy::TaskSet tasks_;
  std::list<proxy::H2ServerConnection*> live_;
  std::thread thread_;
};

/// A tunnel through `gateway` to `host`:443 with HTTP/2 inside. Throws when there is no TLS.
class Http2Client {
 public:
  Http2Client(GatewayHarness const& gateway, std::string const& host, proxy::H2Limits bounds = proxy::H2Limits::for_servers());
  ~Http2Client();
  Http2Client(Http2Client const&) = delete;
  Http2Client& operator=(Http2Client const&) = delete;

  /// Throws when the gateway takes no more streams.
  proxy::H2ClientStream open(std::string method, std::string const& path, proxy::BodyKind body = proxy::NoBody{},
                             std::vector<proxy::Field> fields = {});
  template <class T>
  T run(awaitable<T> operation) {
    return tests::run(io_, std::move(operation));
  }
  struct Answer {
    int status = 0;
    std::string reason;  // Sallyport-Reason
    Result<std::string> body = Error{};
    std::vector<proxy::Field> trailers;
  };
  /// The rest of the answer, once the request is sent.
  Answer finish(proxy::H2ClientStream& stream);
  Answer get(std::string const& path);

 private:
  std::string host_;
  asio::io_context io_;
  proxy::SslContextPtr context_;
  std::optional<proxy::Stream> stream_;
  std::optional<proxy::H2ClientConnection> connection_;
  proxy::TaskSet tasks_;
  std::optional<Result<void>> ended_;
};

}  // namespace sallyport::tests
