#pragma once
// The one shape of a refusal. No I/O.

#include "policies/verdict.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// What a refusal says: fields, without those that frame it, and a body.
struct DenyAnswer {
  std::vector<Field> fields;
  std::string body;
};
DenyAnswer deny_answer(int status, policies::Verdict const& verdict, std::string_view host, std::string_view accept);

/// A complete HTTP/1.1 response with `Sallyport-Reason`, `Connection: close`, and a body
/// {"error":"egress_denied","reason","host","rule","hint"}: JSON, or text/plain when `accept` does not take JSON.
/// The hint tells an agent not to retry. HEAD gets no body. `status` is 403, 400, 408, 414, 431, 502 or
/// 504. `host` may be what the client sent: it is cut to one short line of ASCII.
std::string deny_reply(int status, policies::Verdict const& verdict, std::string_view host, std::string_view method,
                       std::string_view accept);

/// A fatal TLS alert record in plaintext (RFC 8446 section 6): what a transparent TLS client gets instead.
enum class TlsAlert : std::uint8_t { unrecognized_name = 112, access_denied = 49, handshake_failure = 40, decode_error = 50, internal_error = 80 };
std::string tls_alert(TlsAlert alert);

}  // namespace sallyport::proxy
