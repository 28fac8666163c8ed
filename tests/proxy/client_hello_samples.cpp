#include "client_hello_samples.hpp"

#include <openssl/ssl.h>

#include <algorithm>
#include <memory>

namespace sallyport::proxy::samples {
namespace {

struct Free {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* connection) const { SSL_free(connection); }
};
using Context = std::unique_ptr<SSL_CTX, Free>;
using Connection = std::unique_ptr<SSL, Free>;

/// A connection over two memory buffers.
Connection connect_memory(SSL_CTX* context) {
  Connection connection(SSL_new(context));
  SSL_set_bio(connection.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  return connection;
}

int note_name(SSL* connection, int*, void* found) {
  auto const* name = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  if (name != nullptr) *static_cast<std::optional<std::string>*>(found) = name;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

std::string u8(std::size_t value) { return std::string(1, static_cast<char>(value)); }
std::string u16(std::size_t value) { return u8(value >> 8) + u8(value & 0xff); }
std::string vector8(std::string_view bytes) { return u8(bytes.size()) + std::string(bytes); }
std::string vector16(std::string_view bytes) { return u16(bytes.size()) + std::string(bytes); }

std::string extension(std::uint16_t type, std::string_view data) { return u16(type) + vector16(data); }

std::string server_name(std::string_view name) { return extension(0, vector16(u8(0) + vector16(name))); }

std::string alpn(std::vector<std::string> const& protocols) {
  std::string list;
  for (auto const& protocol : protocols) list += vector8(protocol);
  return extension(16, vector16(list));
}

std::string hello(std::string_view extensions) {
  std::string const random(32, 'r');
  std::string const session_id(32, 's');
  return handshake(1, u16(0x0303) + random + vector8(session_id) + vector16(u16(0x1301) + u16(0xc02f)) + vector8(u8(0)) +
                          vector16(extensions));
}

std::string handshake(std::uint8_t type, std::string_view body) {
  return u8(type) + u8(body.size() >> 16) + u16(body.size() & 0xffff) + std::string(body);
}

std::string records(std::string_view message, std::size_t fragment_bytes, std::uint8_t minor) {
  std::string wire;
  while (!message.empty()) {
    auto const fragment = message.substr(0, fragment_bytes);
    wire += u8(22) + u8(3) + u8(minor) + vector16(fragment);
    message.remove_prefix(fragment.size());
  }
  return wire;
}

std::string openssl_hello(OpenSslOptions const& options) {
  Context const context(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_min_proto_version(context.get(), options.min_version);
  SSL_CTX_set_max_proto_version(context.get(), options.max_version);
  auto const connection = connect_memory(context.get());
  if (options.sni) SSL_set_tlsext_host_name(connection.get(), options.sni->c_str());
  std::string protocols;
  for (auto const& protocol : options.alpn) protocols += vector8(protocol);
  SSL_set_alpn_protos(connection.get(), reinterpret_cast<unsigned char const*>(protocols.data()),
                      static_cast<unsigned>(protocols.size()));
  SSL_connect(connection.get());  // stops where it would wait for the server
  char* bytes = nullptr;
  auto const count = BIO_get_mem_data(SSL_get_wbio(connection.get()), &bytes);
  return {bytes, static_cast<std::size_t>(count)};
}

std::optional<std::string> openssl_sees_name(std::string_view wire) {
  std::optional<std::string> found;
  Context const context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_set_tlsext_servername_callback(context.get(), note_name);
  SSL_CTX_set_tlsext_servername_arg(context.get(), &found);
  auto const connection = connect_memory(context.get());
  BIO_write(SSL_get_rbio(connection.get()), wire.data(), static_cast<int>(wire.size()));
  SSL_accept(connection.get());  // fails for want of a certificate, after the name was looked at
  return found;
}

}  // namespace sallyport::proxy::samples
