#pragma once
// A TCP connection with the bytes that were read and not yet used, plain or inside TLS. The session coroutines read and
// write through it. Thread: its worker's. Lifetime: owns its socket; outlives every await on it. At most one read and one
// write at a time. Does not set deadlines: the caller writes them where it waits, as a TimeLimit.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "proxy/deadline.hpp"
#include "proxy/tls_layer.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class TimeLimit;

class Stream {
 public:
  explicit Stream(Socket socket) : socket_(std::move(socket)) {}

  /// What was read and not consumed; valid until the next call of read_more() or release_buffer().
  std::string_view buffered() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes);
  /// Reads once and appends. Code::closed at the end of the stream, Code::limit when nothing was consumed for too long.
  /// Inside TLS the end is a close_notify; a connection that is cut is Code::invalid.
  awaitable<Result<void>> read_more();
  /// Writes all of `bytes`, which outlive the await.
  awaitable<Result<void>> write(std::string_view bytes);

  /// What is buffered and what comes is TLS, and so is what is written: `ssl` says which side this is. handshake() comes
  /// next.
  void start_tls(SslPtr ssl);
  /// Code::invalid when it fails; tls()->failure() says how.
  awaitable<Result<void>> handshake();
  /// Null on a plain connection.
  TlsLayer* tls() const { return tls_.get(); }

  /// Whether the other side has neither closed nor sent anything: what may be said of a connection nobody reads.
  bool is_quiet();
  /// Whether the other side has sent the end of its stream, or is gone: read or not.
  bool peer_has_ended();
  /// Sends the end of the stream; the other direction goes on.
  void shutdown_send();
  /// Closes so that the other side sees a reset instead of an orderly end.
  void reset();
  void close();
  /// Gives the buffer's memory back. REQUIRES: buffered() is empty.
  void release_buffer();
  Socket& socket() { return socket_; }

 private:
  friend class TimeLimit;

  bool make_room();
  /// What a wait that failed with `ec` says: the limit, when that is what ended it.
  Error failure(boost::system::error_code ec, char const* what) const;
  awaitable<Result<std::size_t>> read_tls(char* to, std::size_t size);
  awaitable<Result<void>> write_tls(std::string_view bytes);
  /// Until the socket is ready for what TLS waits for.
  awaitable<Result<void>> wait_for(TlsLayer::Progress progress);

  Socket socket_;
  std::unique_ptr<TlsLayer> tls_;
  TimeLimit const* limit_ = nullptr;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// For as long as it lives: what waits on `stream` fails with Code::limit once `delay` is over, and `what` names the wait.
/// One at a time. Lifetime: the stream outlives it and does not move.
class TimeLimit {
 public:
  TimeLimit(Stream& stream, std::chrono::milliseconds delay, char const* what);
  TimeLimit(TimeLimit const&) = delete;
  TimeLimit& operator=(TimeLimit const&) = delete;
  ~TimeLimit() { stream_.limit_ = nullptr; }

  bool is_over() const { return deadline_.is_over(); }
  Error error() const { return Error{Code::limit, 0, std::string(what_) + ": no answer in time"}; }

 private:
  Stream& stream_;
  char const* what_;
  Deadline deadline_;
};

/// An orderly end that the client can read even while it is still sending: end of stream, then what arrives is read and
/// dropped until the client closes or limits::kDrainTimeout is over, then close.
awaitable<void> linger_close(Stream& stream);

}  // namespace sallyport::proxy
