#pragma once
// ClientHellos for tests: real ones from OpenSSL, and hand-built ones for what OpenSSL does not send. Any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy::samples {

std::string u8(std::size_t value);
std::string u16(std::size_t value);
std::string vector8(std::string_view bytes);
std::string vector16(std::string_view bytes);

std::string extension(std::uint16_t type, std::string_view data);
std::string server_name(std::string_view name);
std::string alpn(std::vector<std::string> const& protocols);

/// Handshake message of type ClientHello with these extensions (TLS 1.3 shape).
std::string hello(std::string_view extensions);
std::string handshake(std::uint8_t type, std::string_view body);
/// `message` in records of at most `fragment_bytes`, with record version 3.`minor`.
std::string records(std::string_view message, std::size_t fragment_bytes = 16 * 1024, std::uint8_t minor = 1);

struct OpenSslOptions {
  std::optional<std::string> sni = std::nullopt;
  std::vector<std::string> alpn = {};
  int min_version = 0;  // as SSL_CTX_set_min_proto_version
  int max_version = 0;
};
/// What OpenSSL's client sends first.
std::string openssl_hello(OpenSslOptions const& options);

/// The name OpenSSL's server finds in `wire`; nothing if it finds none or refuses the hello before it looks for a name.
std::optional<std::string> openssl_sees_name(std::string_view wire);

}  // namespace sallyport::proxy::samples
