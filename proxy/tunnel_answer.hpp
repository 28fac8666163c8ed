#pragma once
// What each leg says when a tunnel opens and when it is refused.

#include "audit/event.hpp"
#include "proxy/refusal.hpp"
#include "proxy/stream.hpp"

#include <string>
#include <string_view>

namespace sallyport::proxy {

/// "200", SOCKS5 success, or nothing for a captured connection or one that began with its ClientHello.
std::string_view opened_answer(audit::Leg leg);

struct RefusedTunnel {
  audit::Leg leg = audit::Leg::connect;
  std::string host;
  std::string accept;
};
/// Before it opened: an HTTP answer, a SOCKS5 reply, a TLS alert, or a reset for a captured connection. Closes the stream.
awaitable<void> answer_refused(Stream& client, Refusal refusal, RefusedTunnel tunnel);
/// After a ClientHello was read: a fatal TLS alert. Closes the stream.
awaitable<void> answer_refused_tls(Stream& client, Refusal refusal);

}  // namespace sallyport::proxy
