#include "tests/support/origin_stream.hpp"

#include <sys/socket.h>
#include <array>

namespace sallyport::test {

OriginStream::OriginStream(UniqueFd socket, SSL_CTX* tls) : socket_(std::move(socket)) {
  if (tls == nullptr) return;
  ssl_ = SSL_new(tls);
  SSL_set_fd(ssl_, socket_.get());
  SSL_accept(ssl_);
}

OriginStream::~OriginStream() {
  if (ssl_ == nullptr) return;
  SSL_shutdown(ssl_);
  SSL_free(ssl_);
}

bool OriginStream::fill() {
  std::array<char, 64 * 1024> block;
  auto const n = ssl_ != nullptr ? SSL_read(ssl_, block.data(), static_cast<int>(block.size()))
                                 : static_cast<int>(::recv(socket_.get(), block.data(), block.size(), 0));
  if (n <= 0) return false;
  buffer_.append(block.data(), static_cast<std::size_t>(n));
  return true;
}

std::string OriginStream::read_through(std::string_view mark) {
  std::size_t at;
  while ((at = buffer_.find(mark)) == std::string::npos) {
    if (!fill()) return {};
  }
  return read_exactly(at + mark.size());
}

std::string OriginStream::read_exactly(std::size_t count) {
  while (buffer_.size() < count && fill()) {}
  auto result = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return result;
}

bool OriginStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const n = ssl_ != nullptr ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                                   : static_cast<int>(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace sallyport::test
