#include "dlp/packed_stream.hpp"

#include "dlp/base_n.hpp"
#include "dlp/limits.hpp"

#include <algorithm>

namespace sallyport::dlp {

bool Base64Feed::feed(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size();) {
    // The letter of a line end written as "\\n" looks like a digit.
    if (escaped_ && (text[at] == 'n' || text[at] == 'r')) ++at;
    escaped_ = false;
    auto run = kAnyBase64.run(text.substr(at));
    auto skipped = std::min(run, skip_digits_);
    skip_digits_ -= skipped;
    digits_ += text.substr(at + skipped, run - skipped);
    at += run;
    if (at == text.size()) break;
    escaped_ = text[at] == '\\';
    if (!escaped_ && text[at] != '\r' && text[at] != '\n') {
      decode_base64(digits_, out);
      return false;
    }
    ++at;
  }
  auto whole = digits_.size() / 4 * 4;
  decode_base64(std::string_view(digits_).substr(0, whole), out);
  digits_.erase(0, whole);
  return true;
}

PackedStream::PackedStream(StreamScan::Shared const& shared, OpenStream const& stream, Origin inner)
    : budget_(shared.budget),
      log_(shared.log),
      offset_(inner.base),
      base64_(stream.in_base64 ? std::make_unique<Base64Feed>(stream.skip_digits) : nullptr),
      skip_bytes_(stream.skip_bytes),
      decompressor_(make_decompressor(stream.coding)),
      chunk_(kUnpackChunk, '\0'),
      inner_(shared, std::move(inner)) {}

StreamState PackedStream::feed(std::string_view bytes) {
  if (!base64_) return unpack(bytes);
  std::string decoded;
  bool more = base64_->feed(bytes, decoded);
  auto state = unpack(decoded);
  return state == StreamState::open && !more ? StreamState::ended : state;
}

StreamState PackedStream::unpack(std::string_view bytes) {
  auto skipped = std::min(skip_bytes_, bytes.size());
  skip_bytes_ -= skipped;
  bytes.remove_prefix(skipped);
  for (;;) {
    auto step = decompressor_->step(bytes, std::span(chunk_));
    bytes.remove_prefix(step.consumed);
    produced_ += step.produced;
    inner_.feed(std::string_view(chunk_).substr(0, step.produced));
    if (step.produced > 0 && !budget_.spend(step.produced)) {
      log_.add(decode_limit_at(offset_), {});
      return StreamState::failed;
    }
    if (step.state != StreamState::open) return step.state;
    if (step.produced < chunk_.size() && (bytes.empty() || step.consumed == 0)) return StreamState::open;
  }
}

}  // namespace sallyport::dlp
