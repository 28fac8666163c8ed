#include "proxy/websocket_checker.hpp"

#include "proxy/utf8_check.hpp"

namespace sallyport::proxy {
namespace {

constexpr std::uint64_t kMaxControlBytes = 125;

/// RFC 6455 section 7.4.2: 1000 to 2999 are the protocol's, and of those only the registered ones that may stand in a
/// frame; 3000 to 4999 are everybody's.
bool may_be_sent(unsigned code) {
  bool const of_protocol = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
  return of_protocol || (code >= 3000 && code <= 4999);
}

}  // namespace

Result<void> WebSocketChecker::check(FrameHead const& head) {
  if (closed_) return Error::invalid("a frame behind the Close frame");
  if (sender_ == WebSocketSide::client && !head.mask) return Error::invalid("a frame of the client is not masked");
  if (sender_ == WebSocketSide::server && head.mask) return Error::invalid("a frame of the server is masked");
  return is_control(head.opcode) ? check_control(head) : check_data(head);
}

Result<void> WebSocketChecker::check_control(FrameHead const& head) {
  if (head.fin == Fin::no) return Error::invalid("a control frame is fragmented");
  if (head.length > kMaxControlBytes) return Error::invalid("a control frame is longer than 125 bytes");
  if (head.packed == Packed::yes) return Error::invalid("a control frame is marked as compressed");
  closed_ = head.opcode == Opcode::close;
  return {};
}

Result<void> WebSocketChecker::check_data(FrameHead const& head) {
  bool const continues = head.opcode == Opcode::continuation;
  if (continues && !in_message_) return Error::invalid("a continuation of no message");
  if (!continues && in_message_) return Error::invalid("a message begins inside another");
  bool const may_be_packed = compression_ == Compression::negotiated && !continues;
  if (head.packed == Packed::yes && !may_be_packed) return Error::invalid("a frame is marked as compressed that must not be");
  in_message_ = head.fin == Fin::no;
  return {};
}

Result<void> check_close_payload(std::string_view payload) {
  constexpr std::size_t kCodeBytes = 2;
  if (payload.empty()) return {};
  if (payload.size() < kCodeBytes) return Error::invalid("a Close frame with half a code");
  auto const code = static_cast<unsigned char>(payload[0]) * 256u + static_cast<unsigned char>(payload[1]);
  if (!may_be_sent(code)) return Error::invalid("a Close frame with a code that must not be sent");
  if (!is_utf8(payload.substr(kCodeBytes))) return Error::invalid("the reason in a Close frame is not UTF-8");
  return {};
}

}  // namespace sallyport::proxy
