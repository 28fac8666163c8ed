// What the channel accepts has one form: written again and read again it stays the same, and it fits into one message.

#include "audit/channel.hpp"
#include "base/check.hpp"
#include "base/limits.hpp"

#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::audit;

template <class Message>
void check_round_trip(Message const& message, Result<Message> (*decode)(std::string_view)) {
  auto const bytes = channel::encode(message);
  check(bytes.size() <= limits::kMaxChannelMessageBytes, "what is written fits into one message");
  auto const again = decode(bytes);
  check(again.has_value(), "what is written can be read");
  check(channel::encode(*again) == bytes, "what is written has one form");
}

void check_only_gateway_events(channel::ToSupervisor const& message) {
  auto const* record = std::get_if<channel::Record>(&message);
  if (record == nullptr) return;
  check(!std::holds_alternative<SessionStart>(record->event) && !std::holds_alternative<SessionEnd>(record->event) &&
            !std::holds_alternative<CommandExec>(record->event) && !std::holds_alternative<CommandExit>(record->event),
        "the gateway reports its own events only");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  if (auto const message = channel::decode_to_supervisor(bytes)) {
    check_only_gateway_events(*message);
    check_round_trip(*message, channel::decode_to_supervisor);
  }
  if (auto const message = channel::decode_to_gateway(bytes)) check_round_trip(*message, channel::decode_to_gateway);
  return 0;
}
