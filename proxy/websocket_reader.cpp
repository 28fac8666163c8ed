#include "proxy/websocket_reader.hpp"

#include <algorithm>

namespace sallyport::proxy {

namespace {
constexpr std::size_t kMaxFrameHeadBytes = 14;
}

Result<WebSocketReader::Step> WebSocketReader::next(std::string_view bytes) {
  if (!in_frame_) return take_head(bytes);
  if (is_control(frame_.opcode)) return take_control(bytes);
  return take_data(bytes);
}

/// A frame without payload is over with its head.
Result<WebSocketReader::Step> WebSocketReader::take_head(std::string_view bytes) {
  auto const before = head_bytes_.size();
  head_bytes_.append(bytes.substr(0, kMaxFrameHeadBytes - before));
  auto const parsed = parse_frame_head(head_bytes_);
  if (auto const* error = std::get_if<Error>(&parsed)) return *error;
  if (std::holds_alternative<NeedMore>(parsed)) return Step{head_bytes_.size() - before, {}};
  auto const& head = std::get<Parsed<FrameHead>>(parsed);
  if (auto const checked = checker_.check(head.head); !checked) return checked.error();
  head_bytes_.clear();
  frame_ = head.head;
  taken_ = 0;
  in_frame_ = true;
  control_.clear();
  if (!is_control(frame_.opcode) && frame_.opcode != Opcode::continuation) {
    message_ = frame_.opcode;
    packed_ = frame_.packed;
    at_start_ = true;
  }
  Step step{head.head_bytes - before, {}};
  if (frame_.length > 0) return step;
  auto ended = is_control(frame_.opcode) ? take_control({}) : take_data({});
  if (!ended) return ended;
  step.piece = ended->piece;
  return step;
}

std::string_view WebSocketReader::unmask(std::string_view bytes) {
  payload_.assign(bytes);
  if (frame_.mask) apply_mask(payload_.data(), payload_.size(), *frame_.mask, taken_);
  taken_ += bytes.size();
  in_frame_ = taken_ < frame_.length;
  return payload_;
}

WebSocketReader::Step WebSocketReader::take_data(std::string_view bytes) {
  auto const size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), frame_.length - taken_));
  WebSocketPiece piece{WebSocketPiece::Kind::data, message_, packed_, at_start_};
  piece.payload = unmask(bytes.substr(0, size));
  piece.last = !in_frame_ && frame_.fin == Fin::yes;
  at_start_ = false;
  return {size, piece};
}

Result<WebSocketReader::Step> WebSocketReader::take_control(std::string_view bytes) {
  auto const size = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), frame_.length - taken_));
  control_.append(unmask(bytes.substr(0, size)));
  if (in_frame_) return Step{size, {}};
  auto const checked = frame_.opcode == Opcode::close ? check_close_payload(control_) : Result<void>();
  if (!checked) return checked.error();
  return Step{size, {WebSocketPiece::Kind::control, frame_.opcode, Packed::no, true, true, control_}};
}

}  // namespace sallyport::proxy
