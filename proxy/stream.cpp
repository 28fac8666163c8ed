#include "proxy/stream.hpp"

#include "base/check.hpp"
#include "base/limits.hpp"

#include <boost/asio/write.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kFirstBufferBytes = 4 * 1024;
// A head of the greatest size and the block behind it.
constexpr std::size_t kMaxBufferBytes = limits::kMaxHeadBytes + limits::kRelayBlockBytes;

Error closed() { return Error{Code::closed, 0, "the connection was closed"}; }

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

Error Stream::failure(boost::system::error_code ec, char const* what) const {
  if (limit_ != nullptr && limit_->is_over()) return limit_->error();
  return Error::os(ec.value(), what);
}

awaitable<Result<void>> Stream::read_more() {
  if (!make_room()) co_return Error{Code::limit, 0, "read: more bytes than any message may have"};
  if (limit_ != nullptr && limit_->is_over()) co_return limit_->error();
  if (tls_) {
    auto got = co_await read_tls(buffer_.data() + end_, buffer_.size() - end_);
    if (!got) co_return got.error();
    end_ += *got;
    co_return Result<void>();
  }
  auto [ec, bytes] = co_await socket_.async_read_some(asio::buffer(buffer_.data() + end_, buffer_.size() - end_));
  if (ec == asio::error::eof) co_return closed();
  if (ec) co_return failure(ec, "read");
  end_ += bytes;
  co_return Result<void>();
}

awaitable<Result<void>> Stream::write(std::string_view bytes) {
  if (tls_) co_return co_await write_tls(bytes);
  auto [ec, written] = co_await asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()), Token());
  if (ec) co_return failure(ec, "write");
  co_return Result<void>();
}

void Stream::start_tls(SslPtr ssl) {
  boost::system::error_code ignored;  // a socket that cannot be set fails at its first use
  socket_.native_non_blocking(true, ignored);
  std::string before(buffered());
  consume(before.size());
  release_buffer();
  tls_ = std::make_unique<TlsLayer>(std::move(ssl), socket_.native_handle(), std::move(before));
}

awaitable<Result<void>> Stream::handshake() {
  for (;;) {
    auto const step = tls_->handshake();
    if (step.progress == TlsLayer::Progress::done) co_return Result<void>();
    auto ready = co_await wait_for(step.progress);
    if (!ready) co_return ready;
  }
}

awaitable<Result<std::size_t>> Stream::read_tls(char* to, std::size_t size) {
  for (;;) {
    auto const step = tls_->read({to, size});
    if (step.progress == TlsLayer::Progress::done) co_return step.bytes;
    auto ready = co_await wait_for(step.progress);
    if (!ready) co_return ready.error();
  }
}

awaitable<Result<void>> Stream::write_tls(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const step = tls_->write(bytes);
    bytes.remove_prefix(step.bytes);
    if (step.progress == TlsLayer::Progress::done) continue;
    auto ready = co_await wait_for(step.progress);
    if (!ready) co_return ready;
  }
  co_return Result<void>();
}

awaitable<Result<void>> Stream::wait_for(TlsLayer::Progress progress) {
  if (progress == TlsLayer::Progress::ended) co_return closed();
  if (progress == TlsLayer::Progress::failed) co_return Error{Code::invalid, 0, "TLS: " + tls_->failure().text};
  auto const what =
      progress == TlsLayer::Progress::want_read ? asio::socket_base::wait_read : asio::socket_base::wait_write;
  auto [ec] = co_await socket_.async_wait(what);
  if (ec) co_return failure(ec, "wait");
  co_return Result<void>();
}

bool Stream::is_quiet() {
  if (!buffered().empty() || !socket_.is_open()) return false;
  char byte = 0;
  if (tls_)
    return tls_->read({&byte, 1}).progress == TlsLayer::Progress::want_read;  // takes session tickets that came late
  return ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

bool Stream::peer_has_ended() {
  pollfd socket{socket_.native_handle(), POLLRDHUP, 0};
  return socket_.is_open() && ::poll(&socket, 1, 0) > 0;
}

void Stream::shutdown_send() {
  if (tls_) tls_->close_notify();
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
  std::vector<char>().swap(buffer_);  // what is assigned to keeps its memory
  begin_ = end_ = 0;
}

TimeLimit::TimeLimit(Stream& stream, std::chrono::milliseconds delay, char const* what)
    : stream_(stream), what_(what), deadline_(stream.socket_.get_executor(), delay, [&socket = stream.socket_] {
        boost::system::error_code ignored;  // a closed socket has nothing that waits
        socket.cancel(ignored);
      }) {
  check(stream.limit_ == nullptr, "one limit at a time");
  stream.limit_ = this;
}

awaitable<void> linger_close(Stream& stream) {
  stream.shutdown_send();
  TimeLimit const limit(stream, limits::kDrainTimeout, "drain");
  co_await drain(stream);
  stream.close();
}

}  // namespace sallyport::proxy
