#pragma once
// One WebSocket message that an inspector sees before it goes on. What is not judged yet is held, which is never more than
// an inspector looks ahead. The inspector sees the message as its receiver will; what goes on are the bytes that came. Text
// must be UTF-8 (RFC 6455 section 8.1). No I/O. Thread: its worker's.

#include "proxy/inspection.hpp"
#include "proxy/stream_tail.hpp"
#include "proxy/utf8_check.hpp"
#include "proxy/websocket_inflater.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::proxy {

enum class MessageKind { text, binary };

class HeldMessage {
 public:
  /// `inspector` may be null: nobody looks. `inflater`: of the sender if the message is compressed, otherwise null. `tail`: of what the
  /// sender says, the end of this message comes to it. Both outlive it. A message that nobody looks at is inflated all the same,
  /// because later ones may refer to it.
  HeldMessage(std::unique_ptr<BodyInspector> inspector, WebSocketInflater* inflater, MessageKind kind, StreamTail& tail)
      : inspector_(std::move(inspector)), inflater_(inflater), tail_(tail) {
    if (kind == MessageKind::text) text_.emplace();
  }

  /// A piece of the payload; `last`: nothing comes behind it.
  void take(std::string_view payload, bool last);
  enum class Look { again, done };
  /// Looks at some of what was taken. `again`: there is more, once others have run. An error when it cannot be inflated, or is text
  /// and not UTF-8.
  Result<Look> look();

  /// What may go on.
  std::string_view ready() const;
  /// ready() is all that is left of the message.
  bool ready_to_end() const { return ended_ && ready().size() == held_.size(); }
  void drop_ready();
  /// Set once the message must not go on.
  std::optional<Refusal> const& refusal() const { return refusal_; }

 private:
  Result<Look> look_inside();
  Result<void> show(std::string_view plain);
  Result<void> end();
  void replace_or_refuse();
  std::uint64_t clear_payload() const;

  /// The payload before `packed` says nothing of the message behind `plain`.
  struct Mark {
    std::uint64_t packed = 0;
    std::uint64_t plain = 0;
  };
  std::unique_ptr<BodyInspector> inspector_;
  WebSocketInflater* inflater_;
  StreamTail& tail_;
  std::optional<Utf8Check> text_;
  std::string held_;
  std::uint64_t sent_ = 0;  // payload in front of held_
  std::string unread_;      // payload that was not looked at
  Mark read_;               // how far it was
  std::deque<Mark> marks_;
  bool whole_ = false;  // the last piece was taken
  bool ended_ = false;  // and looked at
  std::optional<Refusal> refusal_;
};

}  // namespace sallyport::proxy
