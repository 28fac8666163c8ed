#include "proxy/websocket_inflater.hpp"

#include "base/limits.hpp"

namespace sallyport::proxy {

WebSocketInflater::WebSocketInflater(Context context)
    : context_(context), stream_(dlp::make_decompressor(dlp::Coding::deflate)), plain_(limits::kRelayBlockBytes, '\0') {}

Result<WebSocketInflater::Step> WebSocketInflater::step(std::string_view packed) {
  auto const done = stream_->step(packed, plain_);
  if (done.state == dlp::StreamState::failed)
    return Error{Code::invalid, 0, "a compressed message that is no deflate stream"};
  if (done.state == dlp::StreamState::ended)
    return Error{Code::invalid, 0, "a compressed message that ends its deflate stream"};
  bool const more = done.consumed < packed.size() || done.produced == plain_.size();
  return Step{done.consumed, std::string_view(plain_).substr(0, done.produced), more};
}

std::string_view WebSocketInflater::tail() {
  using namespace std::string_view_literals;
  return "\x00\x00\xff\xff"sv;
}

void WebSocketInflater::end_message() {
  if (context_ == Context::per_message) stream_ = dlp::make_decompressor(dlp::Coding::deflate);
}

}  // namespace sallyport::proxy
