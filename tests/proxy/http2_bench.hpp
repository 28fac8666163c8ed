#pragma once
// Fixture of the tests between a client and a server that both speak HTTP/2.

#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/h2_pair.hpp"
#include "tests/proxy/http2_peers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::tests {

inline constexpr char kHost[] = "a.example.com";
inline constexpr char kRule[] = "  - {name: full, hosts: ['*.example.com'], paths: ['/ok/**'], dlp: off}\n";

/// A gateway that intercepts, in front of a server of ours.
class Http2Bench : public testing::Test {
 protected:
  /// A new server, and a new gateway that leads to it.
  void serve(Http2Origin::Handler handler, std::string const& rules = kRule) {
    gateway_.reset();
    origin_.emplace(authority_, std::vector<std::string>{"*.example.com"}, std::move(handler));
    auto const to = ":*:127.0.0.1:" + std::to_string(origin_->port());
    gateway_.emplace(rules, std::vector{"a.example.com" + to, "b.example.com" + to}, Acks::at_once, authority_.pem());
  }
  std::string error_of_end() {
    auto const done = gateway_->wait_for<audit::EgressDone>(1);
    return done.size() == 1 ? done[0].error : "there is not one end";
  }

  TestAuthority authority_;
  std::optional<Http2Origin> origin_;
  std::optional<GatewayHarness> gateway_;
};

inline awaitable<void> answer_path(proxy::H2ServerStream stream) {
  auto const& head = stream.request()->head;
  stream.respond(200, {}).has_value();
  co_await stream.write_body(head.method + ' ' + head.target + ' ' + std::string(head.field("host").value_or("")), proxy::EndStream::yes);
}

/// Until the stream is cut; counts what was taken.
inline awaitable<void> send_without_end(proxy::H2ServerStream stream, std::atomic<std::size_t>& sent) {
  stream.respond(200, {}).has_value();
  std::string const block(64 * 1024, 'x');
  for (;;) {
    auto written = co_await stream.write_body(block);
    if (!written) co_return;
    sent += block.size();
  }
}

}  // namespace sallyport::tests
