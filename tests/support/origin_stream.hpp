#pragma once
// One accepted connection of a test server: plain TCP, or TLS from the server's side. Blocking; one thread.

#include "base/unique_fd.hpp"

#include <openssl/ssl.h>
#include <memory>
#include <string>
#include <string_view>

namespace sallyport::test {

class OriginStream {
 public:
  /// With a context the TLS handshake comes first; it may fail, and then nothing can be read.
  OriginStream(UniqueFd socket, SSL_CTX* tls);
  ~OriginStream();
  OriginStream(OriginStream const&) = delete;
  OriginStream& operator=(OriginStream const&) = delete;

  /// Whether the handshake went on with an earlier session.
  bool resumed() const { return ssl_ != nullptr && SSL_session_reused(ssl_) == 1; }
  /// Up to and with `mark`; empty when the connection ends before.
  std::string read_through(std::string_view mark);
  /// Exactly `count` bytes, or fewer when the connection ends.
  std::string read_exactly(std::size_t count);
  /// Whether everything was written.
  bool write(std::string_view bytes);

 private:
  bool fill();

  UniqueFd socket_;
  SSL* ssl_ = nullptr;
  std::string buffer_;
};

}  // namespace sallyport::test
