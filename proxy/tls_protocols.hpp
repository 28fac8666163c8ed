#pragma once
// What both sides of our TLS have in common: versions, modes, and the application protocols we speak. Sources: RFC 7301, RFC 9112.

#include "proxy/openssl_ptr.hpp"

#include <optional>
#include <string_view>

namespace sallyport::proxy {

inline constexpr std::string_view kHttp2 = "h2";  // RFC 9113 section 3.1

enum class ServerProtocols { http1, http2_or_http1 };

/// In the form of the ALPN extension, the one we like best first: what clients may choose from, and what we offer to servers.
std::string_view protocols_for_clients();
std::string_view protocols_for_servers(ServerProtocols offer);

/// TLS 1.2 and later, no compression, no renegotiation; memory of an idle connection is given back.
void set_common_options(SSL_CTX* context);

/// SSL_CTX_alpn_select_cb_func: the first of ours that the client offers; a fatal alert when there is none.
int select_protocol(SSL* ssl, unsigned char const** chosen, unsigned char* size, unsigned char const* offered, unsigned offered_size,
                    void* unused);

/// Whether the server said that it speaks none of the protocols we offered (RFC 7301 section 3.2).
bool is_no_common_protocol(std::optional<int> alert);
/// The protocol a finished handshake agreed on; empty when none was spoken of.
std::string_view agreed_protocol(SSL const* ssl);

}  // namespace sallyport::proxy
