#include "proxy/tls_layer.hpp"

#include "base/check.hpp"
#include "proxy/wire_bio.hpp"

#include <openssl/err.h>

#include <cerrno>
#include <cstring>

namespace sallyport::proxy {
namespace {

/// OpenSSL gives an alert that was received as a reason of its own: SSL_AD_REASON_OFFSET and the alert's number.
std::optional<int> received_alert(unsigned long code) {
  constexpr int kMaxAlert = 255;
  int const number = ERR_GET_REASON(code) - SSL_AD_REASON_OFFSET;
  if (ERR_GET_LIB(code) != ERR_LIB_SSL || number < 0 || number > kMaxAlert) return std::nullopt;
  return number;
}

bool is_unexpected_end(unsigned long code) {
  return ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

}  // namespace

TlsLayer::TlsLayer(SslPtr ssl, int fd, std::string before) : ssl_(std::move(ssl)) {
  auto wire = make_wire_bio(fd, std::move(before));
  check(wire != nullptr, "there is memory for a BIO");
  auto* const both = wire.release();
  SSL_set_bio(ssl_.get(), both, both);  // takes one reference for both directions
}

TlsLayer::Step TlsLayer::handshake() {
  ERR_clear_error();
  return step_of(SSL_do_handshake(ssl_.get()), 0);
}

TlsLayer::Step TlsLayer::read(std::span<char> to) {
  ERR_clear_error();
  std::size_t bytes = 0;
  int const result = SSL_read_ex(ssl_.get(), to.data(), to.size(), &bytes);
  return step_of(result, bytes);
}

TlsLayer::Step TlsLayer::write(std::string_view from) {
  if (from.empty()) return {Progress::done, 0};
  ERR_clear_error();
  std::size_t bytes = 0;
  int const result = SSL_write_ex(ssl_.get(), from.data(), from.size(), &bytes);
  return step_of(result, bytes);
}

void TlsLayer::close_notify() {
  ERR_clear_error();
  if (SSL_is_init_finished(ssl_.get()) == 1) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

TlsLayer::Step TlsLayer::step_of(int result, std::size_t bytes) {
  if (result > 0) return {Progress::done, bytes};
  int const system_error = errno;
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {Progress::want_read, 0};
    case SSL_ERROR_WANT_WRITE:
      return {Progress::want_write, 0};
    case SSL_ERROR_ZERO_RETURN:
      return {Progress::ended, 0};
    default:
      note_failure(system_error);
      return {Progress::failed, 0};
  }
}

void TlsLayer::note_failure(int error) {
  auto const code = ERR_peek_error();
  failure_.alert = received_alert(code);
  failure_.closed = is_unexpected_end(code) || (code == 0 && (error == 0 || error == ECONNRESET || error == EPIPE));
  if (failure_.closed) {
    failure_.text = "the connection was cut without a TLS close_notify";
  } else {
    failure_.text = code == 0 ? std::strerror(error) : openssl_error_text();
  }
  ERR_clear_error();
}

}  // namespace sallyport::proxy
