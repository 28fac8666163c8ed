#include "proxy/h2_inbox.hpp"

#include <nghttp2/nghttp2.h>

#include <chrono>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kFieldOverhead = 32;  // RFC 9113 section 10.5.1

Error too_large() { return Error{Code::limit, 0, "header list is larger than the limit"}; }

Error closed_by(std::uint32_t code) {
  return Error{Code::closed, 0, std::string("the stream was closed: ") + nghttp2_http2_strerror(code)};
}

/// The first reason explains the end.
void cut(H2StreamState& stream, Error why) {
  if (!stream.cut) stream.cut = std::move(why);
  stream.wake_all();
}

}  // namespace

H2Inbox::H2Inbox(H2Side side, H2Limits const& bounds, Executor executor)
    : side_(side),
      bounds_(bounds),
      executor_(executor),
      guard_(bounds, std::chrono::steady_clock::now()),
      released_(executor),
      settings_came_(executor) {}

H2Inbox::StreamPtr H2Inbox::add(std::int32_t id) {
  auto stream = std::make_shared<H2StreamState>(id, executor_);
  streams_.emplace(id, stream);
  ++live_;
  activity_.touch();
  return stream;
}

H2Inbox::StreamPtr H2Inbox::take_request() {
  if (requests_.empty()) return nullptr;
  auto stream = std::move(requests_.front());
  requests_.pop_front();
  return stream;
}

void H2Inbox::release(H2StreamState& stream) {
  stream.in.discard = true;
  stream.in.body.clear();
  --live_;
  activity_.touch();
  released_.notify();
}

std::size_t H2Inbox::buffered_bytes() const {
  std::size_t bytes = 0;
  for (auto const& [id, stream] : streams_) bytes += stream->in.body.size();
  return bytes;
}

H2StreamState* H2Inbox::find(std::int32_t id) {
  auto const found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second.get();
}

/// Streams that the client gave up count as long as somebody works on them: a client cannot have more work done by resetting.
H2Inbox::Reset H2Inbox::on_begin_request(std::int32_t id) {
  if (live_ >= bounds_.max_streams) return NGHTTP2_REFUSED_STREAM;
  streams_.emplace(id, std::make_shared<H2StreamState>(id, executor_));
  return std::nullopt;
}

H2Inbox::Reset H2Inbox::on_field(std::int32_t id, std::string_view name, std::string_view value) {
  auto* stream = find(id);
  if (stream == nullptr) return std::nullopt;
  auto& in = stream->in;
  in.block_bytes += name.size() + value.size() + kFieldOverhead;
  in.block_too_large = in.block_too_large || in.block_bytes > bounds_.header_list_bytes || in.block.size() >= bounds_.header_fields;
  if (!in.block_too_large) in.block.push_back({std::string(name), std::string(value)});
  return std::nullopt;
}

void H2Inbox::begin_block(H2StreamState& stream) {
  stream.in.block.clear();
  stream.in.block_bytes = 0;
  stream.in.block_too_large = false;
}

H2Inbox::Reset H2Inbox::on_head(std::int32_t id, EndStream end) {
  auto* stream = find(id);
  if (stream == nullptr) return std::nullopt;
  Reset reset;
  if (side_ == H2Side::server && !stream->in.request) {
    reset = take_request_head(*stream, end);
  } else if (side_ == H2Side::client && !stream->in.final_head) {
    reset = take_response_head(*stream, end);
  } else {
    reset = take_trailers(*stream);
  }
  begin_block(*stream);
  return reset;
}

/// A request that is refused for its head reaches its handler all the same, which records and answers it.
H2Inbox::Reset H2Inbox::take_request_head(H2StreamState& stream, EndStream end) {
  if (stream.in.block_too_large) {
    deliver(stream, too_large());
  } else {
    deliver(stream, h2_request_of(stream.in.block, end));
  }
  return std::nullopt;
}

H2Inbox::Reset H2Inbox::take_response_head(H2StreamState& stream, EndStream end) {
  auto& in = stream.in;
  auto head = in.block_too_large ? Result<ResponseHead>(too_large()) : h2_response_of(in.block, in.request_method, end);
  if (!head) {
    cut(stream, head.error());
    return NGHTTP2_PROTOCOL_ERROR;
  }
  in.final_head = head->status >= 200;
  in.responses.push_back(std::move(*head));
  if (in.responses.size() > bounds_.max_interim_heads) {
    cut(stream, Error{Code::limit, 0, "more interim responses than the limit"});
    return NGHTTP2_ENHANCE_YOUR_CALM;
  }
  stream.readable.notify();
  return std::nullopt;
}

H2Inbox::Reset H2Inbox::take_trailers(H2StreamState& stream) {
  if (stream.in.block_too_large) {
    cut(stream, too_large());
    return NGHTTP2_ENHANCE_YOUR_CALM;
  }
  stream.in.trailers = std::move(stream.in.block);
  return std::nullopt;
}

void H2Inbox::deliver(H2StreamState& stream, Result<H2Request> request) {
  stream.in.request = std::move(request);
  requests_.push_back(streams_.at(stream.id));
  ++live_;
  activity_.touch();
}

std::size_t H2Inbox::on_data(std::int32_t id, std::string_view bytes) {
  auto* stream = find(id);
  if (stream == nullptr || stream->in.discard) return bytes.size();
  stream->in.body.append(bytes);
  stream->readable.notify();
  return 0;
}

void H2Inbox::on_end(std::int32_t id) {
  auto* stream = find(id);
  if (stream == nullptr) return;
  stream->in.ended = true;
  stream->readable.notify();
}

void H2Inbox::on_malformed(std::int32_t id, std::string_view what) {
  auto* stream = find(id);
  if (stream == nullptr) return;
  Error const error{Code::invalid, 0, "HTTP/2: " + std::string(what)};
  cut(*stream, error);
  if (side_ == H2Side::server && !stream->in.request) deliver(*stream, error);
}

void H2Inbox::on_close(std::int32_t id, std::uint32_t code) {
  auto* stream = find(id);
  if (stream == nullptr) return;
  bool const broken_off = code != NGHTTP2_NO_ERROR && !stream->reset_by_us;
  if (broken_off) stream->reset_code = code;
  if (broken_off && side_ == H2Side::server) guard_.on_reset(std::chrono::steady_clock::now());
  stream->refused = side_ == H2Side::client && code == NGHTTP2_REFUSED_STREAM;
  cut(*stream, closed_by(code));
  streams_.erase(id);
}

void H2Inbox::on_settings() {
  has_settings_ = true;
  settings_came_.notify();
}

void H2Inbox::on_goaway() {
  draining_ = true;
  settings_came_.notify();
}

void H2Inbox::end(Error const& why) {
  draining_ = true;
  live_ -= requests_.size();
  requests_.clear();
  for (auto const& [id, stream] : streams_) cut(*stream, why);
  streams_.clear();
  settings_came_.notify();
  released_.notify();
}

}  // namespace sallyport::proxy
