#include "proxy/stream.hpp"

#include "base/check.hpp"
#include "base/limits.hpp"

#include <boost/asio/write.hpp>

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kFirstBufferBytes = 4 * 1024;
// A head of the greatest size and the block behind it.
constexpr std::size_t kMaxBufferBytes = limits::kMaxHeadBytes + limits::kRelayBlockBytes;

awaitable<Result<void>> drain(Stream& stream) {
  for (;;) {
    stream.consume(stream.buffered().size());
    auto more = co_await stream.read_more();
    if (!more) co_return more;
  }
}

}  // namespace

void Stream::consume(std::size_t bytes) {
  check(bytes <= end_ - begin_, "consumes only what was read");
  begin_ += bytes;
}

/// Room for at least one byte behind end_. A buffer that was filled to the end grows, so bulk is read in large blocks.
bool Stream::make_room() {
  bool const was_full = end_ == buffer_.size();
  std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (was_full && buffer_.size() < kMaxBufferBytes) {
    buffer_.resize(std::clamp(buffer_.size() * 2, kFirstBufferBytes, kMaxBufferBytes));
  }
  return end_ < buffer_.size();
}

awaitable<Result<void>> Stream::read_more() {
  if (!make_room()) co_return Error{Code::limit, 0, "read: more bytes than any message may have"};
  auto [ec, bytes] = co_await socket_.async_read_some(asio::buffer(buffer_.data() + end_, buffer_.size() - end_));
  if (ec == asio::error::eof) co_return Error{Code::closed, 0, "the connection was closed"};
  if (ec) co_return Error::os(ec.value(), "read");
  end_ += bytes;
  co_return Result<void>();
}

awaitable<Result<void>> Stream::write(std::string_view bytes) {
  auto [ec, written] = co_await asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()), Token());
  if (ec) co_return Error::os(ec.value(), "write");
  co_return Result<void>();
}

void Stream::shutdown_send() {
  boost::system::error_code ignored;  // already closed by the other side: nothing left to do
  socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

void Stream::reset() {
  boost::system::error_code ignored;  // the close below is what matters
  socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

void Stream::close() {
  boost::system::error_code ignored;  // the descriptor is gone in any case
  socket_.close(ignored);
}

void Stream::release_buffer() {
  check(begin_ == end_, "releases an empty buffer");
  buffer_ = {};
  begin_ = end_ = 0;
}

awaitable<void> linger_close(Stream& stream) {
  stream.shutdown_send();
  co_await with_deadline(limits::kDrainTimeout, "drain", drain(stream));
  stream.close();
}

}  // namespace sallyport::proxy
