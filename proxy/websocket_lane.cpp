#include "proxy/websocket_lane.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

WebSocketSide other(WebSocketSide side) { return side == WebSocketSide::client ? WebSocketSide::server : WebSocketSide::client; }

bool keeps_no_context(DeflateParameters const& deflate, WebSocketSide sender) {
  return sender == WebSocketSide::client ? deflate.client_no_context_takeover : deflate.server_no_context_takeover;
}

}  // namespace

WebSocketLane::WebSocketLane(WebSocketSide sender, BodySink& to, Inspection& inspection, InspectedMessage message,
                             std::optional<DeflateParameters> const& deflate, Executor const& executor)
    : sender_(sender),
      inspection_(inspection),
      message_(std::move(message)),
      reader_(sender, deflate ? Compression::negotiated : Compression::none),
      writer_(to, other(sender), executor) {
  using Context = WebSocketInflater::Context;
  if (deflate) inflater_.emplace(keeps_no_context(*deflate, sender) ? Context::per_message : Context::kept);
}

Attempt<std::unique_ptr<BodyInspector>> WebSocketLane::inspector(StreamTail const& tail) {
  bool const is_read = message_.direction == Direction::request || inspection_.reads_response(message_);
  if (!is_read) return std::unique_ptr<BodyInspector>();
  BodyForm form;
  form.before = tail.text();
  return inspection_.inspect_body(message_, form);
}

Attempt<HeldMessage*> WebSocketLane::take_data(WebSocketPiece const& piece) {
  if (piece.first) {
    auto looks = inspector(data_tail_);
    if (!looks) return looks.error();
    auto const kind = piece.opcode == Opcode::text ? MessageKind::text : MessageKind::binary;
    held_.emplace(*std::move(looks), piece.packed == Packed::yes ? &*inflater_ : nullptr, kind, data_tail_);
  }
  held_->take(piece.payload, piece.last);
  return &*held_;
}

Attempt<std::unique_ptr<HeldMessage>> WebSocketLane::take_control(WebSocketPiece const& piece) {
  auto looks = inspector(control_tail_);
  if (!looks) return looks.error();
  auto held = std::make_unique<HeldMessage>(*std::move(looks), nullptr, MessageKind::binary, control_tail_);
  held->take(piece.payload, true);
  return held;
}

}  // namespace sallyport::proxy
