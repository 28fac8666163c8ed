#pragma once
// A TCP connection with the bytes that were read and not yet used. The session coroutines read and write through it.
// Thread: the gateway's. Lifetime: owns its socket; outlives every await on it. At most one read and one write at a time.
// Does not set deadlines: the caller writes them where it waits.

#include "base/asio.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class Stream {
 public:
  explicit Stream(Socket socket) : socket_(std::move(socket)) {}

  /// What was read and not consumed; valid until the next call of read_more() or release_buffer().
  std::string_view buffered() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes);
  /// Reads once and appends. Code::closed at the end of the stream, Code::limit when nothing was consumed for too long.
  awaitable<Result<void>> read_more();
  /// Writes all of `bytes`, which outlive the await.
  awaitable<Result<void>> write(std::string_view bytes);

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

  Socket socket_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// An orderly end that the client can read even while it is still sending: end of stream, then what arrives is read and
/// dropped until the client closes or limits::kDrainTimeout is over, then close.
awaitable<void> linger_close(Stream& stream);

}  // namespace sallyport::proxy
