#pragma once
// A TCP connection with the bytes that were read and not yet used, plain or inside TLS. The session coroutines read and write through
// it. Thread: the gateway's. Lifetime: owns its socket; outlives every await on it. At most one read and one write at a time.
// Does not set deadlines: the caller writes them where it waits.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "proxy/tls_layer.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class Stream {
 public:
  explicit Stream(Socket socket) : socket_(std::move(socket)) {}

  /// What was read and not consumed; valid until the next call of read_more() or release_buffer().
  std::string_view buffered() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes);
  /// Reads once and appends. Code::closed at the end of the stream, Code::limit when nothing was consumed for too long. Inside TLS the
  /// end is a close_notify; a connection that is cut is Code::invalid.
  awaitable<Result<void>> read_more();
  /// Writes all of `bytes`, which outlive the await.
  awaitable<Result<void>> write(std::string_view bytes);

  /// What is buffered and what comes is TLS, and so is what is written: `ssl` says which side this is. handshake() comes next.
  void start_tls(SslPtr ssl);
  /// Code::invalid when it fails; tls()->failure() says how.
  awaitable<Result<void>> handshake();
  /// Null on a plain connection.
  TlsLayer* tls() const { return tls_.get(); }

  /// Whether the other side has neither closed nor sent anything: what may be said of a connection nobody reads.
  bool is_quiet();
  /// Sends the end of the stream; the other direction goes on.
  void shutdown_send();
  /// Closes so that the other side sees a reset instead of an orderly end.
  void reset();
  void close();
  /// Gives the buffer's memory back. REQUIRES: buffered() is empty.
  void release_buffer();
  Socket& socket() { return socket_; }

 private:
  bool make_room();
  awaitable<Result<std::size_t>> read_tls(char* to, std::size_t size);
  awaitable<Result<void>> write_tls(std::string_view bytes);
  /// Until the socket is ready for what TLS waits for.
  awaitable<Result<void>> wait_for(TlsLayer::Progress progress);

  Socket socket_;
  std::unique_ptr<TlsLayer> tls_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// An orderly end that the client can read even while it is still sending: end of stream, then what arrives is read and
/// dropped until the client closes or limits::kDrainTimeout is over, then close.
awaitable<void> linger_close(Stream& stream);

}  // namespace sallyport::proxy
