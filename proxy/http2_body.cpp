#include "proxy/http2_body.hpp"

namespace sallyport::proxy {

awaitable<Result<BodyPiece>> Http2BodySource::read() {
  auto bytes = co_await stream_.read_body();
  if (!bytes) co_return bytes.error();
  co_return BodyPiece{*bytes, bytes->empty()};
}

awaitable<Result<void>> Http2BodySink::write(BodyPiece piece, std::vector<Field> const& trailers) {
  if (ended_) co_return Result<void>();
  ended_ = piece.last;
  auto const end = piece.last && trailers.empty() ? EndStream::yes : EndStream::no;
  if (!piece.content.empty()) {
    auto written = co_await stream_.write_body(piece.content, end);
    if (!written || !piece.last || end == EndStream::yes) co_return written;
  }
  if (!piece.last) co_return Result<void>();
  co_return co_await stream_.finish(h2_trailer_fields(trailers));
}

}  // namespace sallyport::proxy
