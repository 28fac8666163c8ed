#pragma once
// One TLS connection over a non-blocking socket: tries, and says what it waits for. Stream does the waiting.
// Thread: its worker's. One read and one write may be under way at once. Sources: RFC 8446, RFC 5246; SSL_read(3), SSL_get_error(3).

#include "proxy/openssl_ptr.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sallyport::proxy {

/// Why a handshake or a connection failed.
struct TlsFailure {
  std::optional<int> alert;      // the fatal alert the other side sent (RFC 8446 section 6.2)
  bool closed = false;           // the other side closed without one
  std::string text;
};

class TlsLayer {
 public:
  enum class Progress {
    done,
    want_read,   // again when the socket has bytes
    want_write,  // again when the socket takes bytes
    ended,       // the other side said that it sends no more
    failed,      // see failure()
  };
  struct Step {
    Progress progress = Progress::failed;
    std::size_t bytes = 0;
  };

  /// `ssl` knows whether it connects or accepts. `before` was read from `fd` already. `fd` outlives this.
  TlsLayer(SslPtr ssl, int fd, std::string before);
  TlsLayer(TlsLayer const&) = delete;
  TlsLayer& operator=(TlsLayer const&) = delete;

  Step handshake();
  Step read(std::span<char> to);
  /// Some of `from`. After want_write the same bytes come again first.
  Step write(std::string_view from);
  /// Says that nothing more is sent, if the socket takes it now.
  void close_notify();

  TlsFailure const& failure() const { return failure_; }
  SSL* ssl() const { return ssl_.get(); }

 private:
  Step step_of(int result, std::size_t bytes);
  void note_failure(int error);

  SslPtr ssl_;
  TlsFailure failure_;
};

}  // namespace sallyport::proxy
