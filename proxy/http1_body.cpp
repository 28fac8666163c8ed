#include "proxy/http1_body.hpp"

#include <array>
#include <charconv>

namespace sallyport::proxy {
namespace {

void append_chunk(std::string& out, std::string_view content) {
  std::array<char, 16> digits;
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), content.size(), 16).ptr;
  out.append(digits.data(), end).append("\r\n").append(content).append("\r\n");
}

void append_end(std::string& out, std::vector<Field> const& trailers) {
  out.append("0\r\n");
  for (auto const& field : trailers) out.append(field.name).append(": ").append(field.value).append("\r\n");
  out.append("\r\n");
}

}  // namespace

Http1BodySource::Http1BodySource(Stream& from, BodyKind const& kind)
    : from_(from), chunked_(std::holds_alternative<Chunked>(kind)), reader_(kind) {}

awaitable<Result<BodyPiece>> Http1BodySource::read() {
  if (reader_.done()) co_return BodyPiece{{}, true};
  if (from_.buffered().empty()) {
    auto more = co_await from_.read_more();
    if (!more && more.error().code == Code::closed) more = reader_.finish();
    if (!more) co_return more.error();
    if (from_.buffered().empty()) co_return BodyPiece{{}, true};  // the end of the stream was the end of the body
  }
  co_return take_buffered();
}

Result<BodyPiece> Http1BodySource::take_buffered() {
  auto const bytes = from_.buffered();
  content_.clear();
  auto const step = chunked_ ? reader_.feed(bytes, content_) : reader_.feed(bytes);
  if (!step) return step.error();
  from_.consume(step->consumed);  // the bytes stay where they are until the next read
  return BodyPiece{chunked_ ? std::string_view(content_) : bytes.substr(0, step->consumed), step->done};
}

Http1BodySink::Http1BodySink(Stream& to, BodyKind const& kind) : to_(to), chunked_(std::holds_alternative<Chunked>(kind)) {}

awaitable<Result<void>> Http1BodySink::write(BodyPiece piece, std::vector<Field> const& trailers) {
  if (!chunked_) {
    if (piece.content.empty()) co_return Result<void>();
    co_return co_await to_.write(piece.content);
  }
  framed_.clear();
  if (!piece.content.empty()) append_chunk(framed_, piece.content);
  if (piece.last) append_end(framed_, trailers);
  if (framed_.empty()) co_return Result<void>();
  co_return co_await to_.write(framed_);
}

}  // namespace sallyport::proxy
