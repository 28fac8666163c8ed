#include "proxy/intercept.hpp"

#include "base/limits.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/http2_session.hpp"
#include "proxy/opening.hpp"
#include "proxy/tls_protocols.hpp"

#include <algorithm>
#include <array>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

/// Alerts of a client that will not have this certificate (RFC 8446 section 6.2): bad_certificate, unsupported_certificate,
/// certificate_revoked, certificate_expired, certificate_unknown, unknown_ca.
constexpr std::array kCertificateAlerts = {42, 43, 44, 45, 46, 48};

std::string pinning_hint(policies::CanonicalHost const& host) {
  return "if it pins its server's certificate, a rule for " + host.str() +
         " with inspect: sni leaves its TLS closed; otherwise it does not trust this session's certificate authority.";
}

awaitable<Result<void>> shake_hands(Stream& stream, SslPtr ssl) {
  stream.start_tls(std::move(ssl));
  TimeLimit const limit(stream, limits::kTlsHandshakeTimeout, "TLS handshake");
  co_return co_await stream.handshake();
}

class Interception {
 public:
  Interception(Client& client, HttpConnection connection, SessionDeps const& deps)
      : client_(client), connection_(std::move(connection)), deps_(deps) {}

  awaitable<void> run() {
    auto const& host = connection_.scope.tunnel->host;
    auto ssl = deps_.tls.client.accept(host);
    if (!ssl) {
      auto const failed = refusal(502, reason::kInternal, ssl.error().what);
      co_return co_await end(failed);
    }
    auto shaken = co_await shake_hands(client_.stream, std::move(*ssl));
    if (!shaken) {
      auto const failed = client_tls_refusal(client_.stream.tls()->failure(), host, shaken.error());
      co_return co_await end(failed);
    }
    auto first = co_await wait_first_byte(client_.stream, deps_.timeouts.keep_alive);
    if (!first) {
      auto const unused = unused_refusal(first.error());
      co_return co_await end(unused);
    }
    if (agreed_protocol(client_.stream.tls()->ssl()) == kHttp2) co_return co_await serve_http2(client_, std::move(connection_), deps_);
    co_await serve_http_tunnel(client_, std::move(connection_), deps_);
  }

 private:
  /// Some clients look at the certificate when the handshake is over.
  Refusal unused_refusal(Error const& error) const {
    if (error.code == Code::limit) return refusal(400, reason::kTimeout, "no request came through the tunnel");
    return refusal(403, reason::kClientRejectedCa,
                   "The client closed the connection after the TLS handshake, before any request: " +
                       pinning_hint(connection_.scope.tunnel->host));
  }

  awaitable<void> end(Refusal why) {
    auto const& scope = connection_.scope;
    auto record = new_record(client_, scope.leg, deps_.audit);
    record.host = scope.tunnel->host.str();
    record.port = scope.tunnel->port;
    record.sni = scope.tls->sni;
    record.alpn = scope.tls->alpn;
    client_.stream.shutdown_send();  // what OpenSSL has to say of it, it has said
    client_.stream.close();
    co_await deps_.audit.record(denied(std::move(record), why));
  }

  Client& client_;
  HttpConnection connection_;
  SessionDeps const& deps_;
};

}  // namespace

Refusal client_tls_refusal(TlsFailure const& failure, policies::CanonicalHost const& host, Error const& error) {
  if (error.code == Code::limit) return refusal(400, reason::kTimeout, error.what);
  auto const alert = failure.alert;
  bool const rejected = alert && std::find(kCertificateAlerts.begin(), kCertificateAlerts.end(), *alert) != kCertificateAlerts.end();
  if (rejected || failure.closed) {
    auto const how = rejected ? failure.text : std::string("it closed the connection in the TLS handshake");
    auto const what = "The client did not accept the certificate for " + host.str() + " (" + how + "): ";
    return refusal(403, reason::kClientRejectedCa, what + pinning_hint(host));
  }
  return refusal(400, reason::kClientTlsFailed, "the TLS handshake with the client failed: " + failure.text);
}

awaitable<void> serve_intercepted(Client& client, HttpConnection connection, SessionDeps const& deps) {
  Interception interception(client, std::move(connection), deps);
  co_await interception.run();
}

}  // namespace sallyport::proxy
