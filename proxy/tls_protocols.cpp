#include "proxy/tls_protocols.hpp"

namespace sallyport::proxy {
namespace {

constexpr std::string_view kBoth("\x02h2\x08http/1.1", 12);
constexpr std::string_view kHttp1("\x08http/1.1", 9);

}  // namespace

std::string_view protocols_for_clients() { return kBoth; }
std::string_view protocols_for_servers(ServerProtocols offer) { return offer == ServerProtocols::http1 ? kHttp1 : kBoth; }

void set_common_options(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_read_ahead(context, 1);
}

int select_protocol(SSL*, unsigned char const** chosen, unsigned char* size, unsigned char const* offered, unsigned offered_size, void*) {
  auto const ours = protocols_for_clients();
  unsigned char* match = nullptr;
  int const found = SSL_select_next_proto(&match, size, reinterpret_cast<unsigned char const*>(ours.data()),
                                          static_cast<unsigned>(ours.size()), offered, offered_size);
  if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = match;
  return SSL_TLSEXT_ERR_OK;
}

bool is_no_common_protocol(std::optional<int> alert) { return alert == SSL_AD_NO_APPLICATION_PROTOCOL; }

std::string_view agreed_protocol(SSL const* ssl) {
  unsigned char const* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  return {reinterpret_cast<char const*>(name), size};
}

}  // namespace sallyport::proxy
