#include "proxy/http2_requester.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {

awaitable<Result<void>> Http2Requester::request(RequestHead const& head, HttpTarget const& target) {
  minor_version_ = head.minor_version;
  bool const without_body = std::holds_alternative<NoBody>(head.body);
  auto opened = server_->connection().open(head, target, {without_body ? EndStream::yes : EndStream::no, {}});
  if (!opened) co_return opened.error();
  stream_.emplace(std::move(*opened));
  sink_.emplace(*stream_);
  source_.emplace(*stream_);
  if (without_body) sink_->end();
  co_return Result<void>();
}

/// A client of HTTP/1.0 knows no chunks: the end of its connection is the end of the body.
awaitable<Result<ResponseHead>> Http2Requester::read_head() {
  if (!stream_) co_return Error{Code::limit, 0, "the server's HTTP/2 connection takes no further stream"};
  auto head = co_await stream_->read_response_head();
  if (head && minor_version_ == 0 && std::holds_alternative<Chunked>(head->body)) head->body = UntilClose{};
  co_return head;
}

std::optional<std::uint32_t> Http2Requester::reset_code() const { return stream_ ? stream_->reset_code() : std::nullopt; }

}  // namespace sallyport::proxy
