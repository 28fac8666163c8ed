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
  bool const is_bare = !chunked_ && framed_.empty();
  if (is_bare && piece.content.empty()) co_return Result<void>();
  if (is_bare) co_return co_await to_.write(piece.content);
  if (!chunked_) framed_.append(piece.content);
  if (chunked_ && !piece.content.empty()) append_chunk(framed_, piece.content);
  if (chunked_ && piece.last) append_end(framed_, trailers);
  if (framed_.empty()) co_return Result<void>();
  auto written = co_await to_.write(framed_);
  framed_.clear();
  co_return written;
}

}  // namespace sallyport::proxy
