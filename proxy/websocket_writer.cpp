#include "proxy/websocket_writer.hpp"

#include <openssl/rand.h>

#include <stdexcept>

namespace sallyport::proxy {
namespace {

MaskingKey new_masking_key() {
  MaskingKey key{};
  if (::RAND_bytes(key.data(), static_cast<int>(key.size())) != 1) throw std::runtime_error("no random bytes");
  return key;
}

Error closed() { return Error{Code::closed, 0, "a Close frame was sent"}; }

}  // namespace

awaitable<Result<void>> WebSocketWriter::send(MessagePart part) {
  if (closed_) co_return closed();
  FrameHead head;
  head.opcode = in_message_ ? Opcode::continuation : part.opcode;
  head.packed = in_message_ ? Packed::no : part.packed;
  head.fin = part.last ? Fin::yes : Fin::no;
  in_message_ = !part.last;
  co_return co_await write(head, part.payload);
}

awaitable<Result<void>> WebSocketWriter::send_control(Opcode opcode, std::string_view payload) {
  if (closed_) co_return closed();
  closed_ = opcode == Opcode::close;
  FrameHead head;
  head.opcode = opcode;
  co_return co_await write(head, payload);
}

awaitable<Result<void>> WebSocketWriter::close(std::uint16_t code, std::string_view reason) {
  if (closed_) co_return Result<void>();
  closed_ = true;
  while (writing_) co_await free_.wait();
  std::string payload;
  payload.push_back(static_cast<char>(code >> 8));
  payload.push_back(static_cast<char>(code & 0xff));
  payload.append(reason);
  FrameHead head;
  head.opcode = Opcode::close;
  co_return co_await write(head, payload);
}

awaitable<Result<void>> WebSocketWriter::write(FrameHead head, std::string_view payload) {
  head.length = payload.size();
  if (receiver_ == WebSocketSide::server) head.mask = new_masking_key();
  frame_.clear();
  append_frame_head(frame_, head);
  auto const payload_at = frame_.size();
  frame_.append(payload);
  if (head.mask) apply_mask(frame_.data() + payload_at, payload.size(), *head.mask, 0);
  writing_ = true;
  std::vector<Field> const no_trailers;
  BodyPiece const piece{frame_, false};
  auto written = co_await to_.write(piece, no_trailers);
  writing_ = false;
  free_.notify();
  co_return written;
}

}  // namespace sallyport::proxy
