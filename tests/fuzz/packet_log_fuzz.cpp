// Whatever the packet log sends, parsing stays within it, and what it reads can be printed.

#include "proxy/reject_message.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const datagram(static_cast<char const*>(static_cast<void const*>(data)), size);
  auto const packets = sallyport::proxy::parse_reject_messages(datagram);
  if (!packets) return 0;
  for (auto const& packet : *packets) {
    if (sallyport::proxy::protocol_name(packet.protocol).empty() || packet.source.to_string().empty()) __builtin_trap();
  }
  return 0;
}
