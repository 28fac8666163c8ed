#include "proxy/upstream_hop.hpp"

#include "base/limits.hpp"
#include "policies/engine.hpp"
#include "proxy/connect_client.hpp"
#include "proxy/socks5_client.hpp"
#include "proxy/tls_bridge.hpp"

#include <string>
#include <utility>

namespace sallyport::proxy {
namespace {

using policies::UpstreamProxy;
using policies::UpstreamProxyKind;

Error about(UpstreamProxy const& proxy, Error const& error) {
  return Error{error.code, error.os_errno, "upstream proxy " + to_string(proxy) + ": " + error.what};
}

/// Whom the proxy is asked to reach: the address that was admitted, or the name when the proxy looks it up.
policies::CanonicalHost asked_for(policies::AllowedEndpoint const& endpoint) {
  auto const& address = endpoint.address();
  return address ? policies::CanonicalHost::from(*address) : endpoint.host();
}

awaitable<Result<void>> open_tunnel(Stream& stream, UpstreamProxy const& proxy, policies::AllowedEndpoint endpoint) {
  auto host = asked_for(endpoint);
  if (proxy.kind == UpstreamProxyKind::socks5) return open_by_socks5(stream, proxy, std::move(host), endpoint.port());
  auto authority = host.authority() + ':' + std::to_string(endpoint.port());
  return open_by_connect(stream, proxy, std::move(authority));
}

}  // namespace

awaitable<Result<Hopped>> UpstreamHop::connect(policies::AllowedEndpoint endpoint, Passage passage) {
  auto const started = std::chrono::steady_clock::now();
  UpstreamProxy const& proxy = *endpoint.via();
  auto stream = co_await dial(proxy);
  if (!stream) co_return about(proxy, stream.error());
  if (passage == Passage::tunnel) {
    TimeLimit const limit(*stream, limits::kConnectTimeout, "tunnel");
    auto opened = co_await open_tunnel(*stream, proxy, endpoint);
    if (!opened) co_return about(proxy, opened.error());
  }
  auto const took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  if (stream->tls() == nullptr || passage == Passage::forward) co_return Hopped{*std::move(stream), took};
  auto bridged = bridge_tls(*std::move(stream), tasks_, co_await asio::this_coro::executor);
  if (!bridged) co_return about(proxy, bridged.error());
  co_return Hopped{Stream(*std::move(bridged)), took};
}

awaitable<Result<Stream>> UpstreamHop::dial(UpstreamProxy const& proxy) {
  auto const addresses = co_await dns_.find(proxy.host);
  if (!addresses) co_return addresses.error();
  auto dialed = co_await dialer_.connect(engine_.proxy_endpoints(*addresses));
  if (!dialed) co_return dialed.error();
  Stream stream(std::move(dialed->socket));
  if (proxy.kind == UpstreamProxyKind::https) {
    auto secured = co_await start_tls(stream, proxy);
    if (!secured) co_return secured.error();
  }
  co_return std::move(stream);
}

awaitable<Result<void>> UpstreamHop::start_tls(Stream& stream, UpstreamProxy const& proxy) {
  auto ssl = tls_.connect(proxy.host, proxy.port, ServerProtocols::http1);
  if (!ssl) co_return ssl.error();
  stream.start_tls(*std::move(ssl));
  TimeLimit const limit(stream, limits::kTlsHandshakeTimeout, "TLS handshake");
  auto done = co_await stream.handshake();
  if (done) co_return done;
  co_return Error{done.error().code, 0, upstream_tls_refusal(*stream.tls(), proxy.host, done.error()).verdict.hint};
}

}  // namespace sallyport::proxy
