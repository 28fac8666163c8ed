#include "proxy/tunnel_answer.hpp"

#include "proxy/deny_reply.hpp"
#include "proxy/socks5.hpp"

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr std::string_view kConnectOpened = "HTTP/1.1 200 Connection established\r\n\r\n";
constexpr std::string_view kSocksOpened{"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10};  // RFC 1928 section 6

socks5::Reply socks_reply(Refusal const& refusal) {
  if (refusal.verdict.reason == reason::kResolveFailed) return socks5::Reply::host_unreachable;
  if (refusal.verdict.reason == reason::kInternal) return socks5::Reply::general_failure;
  return socks5::Reply::not_allowed;
}

TlsAlert alert_of(Refusal const& refusal) {
  auto const& why = refusal.verdict.reason;
  if (why == reason::kSniMismatch || why == reason::kNoSni) return TlsAlert::unrecognized_name;
  if (refusal.status == 502 || refusal.status == 504) return TlsAlert::internal_error;
  return TlsAlert::access_denied;
}

}  // namespace

std::string_view opened_answer(audit::Leg leg) {
  if (leg == audit::Leg::connect) return kConnectOpened;
  if (leg == audit::Leg::socks5) return kSocksOpened;
  return {};
}

awaitable<void> answer_refused(Stream& client, Refusal refusal, RefusedTunnel tunnel) {
  if (tunnel.leg == audit::Leg::transparent) co_return client.reset();
  if (tunnel.leg == audit::Leg::sni) co_return co_await answer_refused_tls(client, std::move(refusal));
  auto const bytes = tunnel.leg == audit::Leg::socks5
                         ? socks5::reply(socks_reply(refusal))
                         : deny_reply(refusal.status, refusal.verdict, tunnel.host, "CONNECT", tunnel.accept);
  co_await client.write(bytes);
  co_await linger_close(client);
}

awaitable<void> answer_refused_tls(Stream& client, Refusal refusal) {
  auto const bytes = tls_alert(alert_of(refusal));
  co_await client.write(bytes);
  co_await linger_close(client);
}

}  // namespace sallyport::proxy
