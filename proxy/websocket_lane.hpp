#pragma once
// One direction of a WebSocket: what its sender says, held until it is judged. No I/O but the writer's. Thread: its worker's.

#include "proxy/held_message.hpp"
#include "proxy/inspection.hpp"
#include "proxy/websocket_extensions.hpp"
#include "proxy/websocket_reader.hpp"
#include "proxy/websocket_writer.hpp"

#include <memory>
#include <optional>
#include <string>

namespace sallyport::proxy {

class WebSocketLane {
 public:
  /// From `sender` to `to`. Lifetime: `to`, `inspection` and what `message` refers to outlive it.
  WebSocketLane(WebSocketSide sender, BodySink& to, Inspection& inspection, InspectedMessage message,
                std::optional<DeflateParameters> const& deflate, Executor const& executor);

  /// Of `sender`.
  WebSocketReader& reader() { return reader_; }
  /// To the other side.
  WebSocketWriter& writer() { return writer_; }
  /// "client" or "server".
  char const* sender() const { return sender_ == WebSocketSide::client ? "client" : "server"; }

  /// Takes a piece of a data message into the message that is held, which is a new one if the piece is its first.
  Attempt<HeldMessage*> take_data(WebSocketPiece const& piece);
  /// A message of its own.
  Attempt<std::unique_ptr<HeldMessage>> take_control(WebSocketPiece const& piece);

 private:
  Attempt<std::unique_ptr<BodyInspector>> inspector(StreamTail const& tail);

  WebSocketSide sender_;
  Inspection& inspection_;
  InspectedMessage message_;
  WebSocketReader reader_;
  WebSocketWriter writer_;
  std::optional<WebSocketInflater> inflater_;
  StreamTail data_tail_;
  StreamTail control_tail_;
  std::optional<HeldMessage> held_;
};

}  // namespace sallyport::proxy
