#include "jail/socket_address.hpp"

#include "policies/address_class.hpp"

#include <netinet/in.h>

#include <array>
#include <cstring>

namespace sallyport::jail {

std::optional<Dial> read_dial(ProcessMemory const& memory, std::uint64_t address) {
  sockaddr_in v4{};
  if (memory.read(address, &v4, sizeof v4) != sizeof v4) return std::nullopt;
  if (v4.sin_family == AF_INET) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return Dial{policies::IpAddress::from_v4(bytes).to_string(), ntohs(v4.sin_port)};
  }
  sockaddr_in6 v6{};
  if (v4.sin_family != AF_INET6 || memory.read(address, &v6, sizeof v6) != sizeof v6) return std::nullopt;
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return Dial{policies::IpAddress::from_v6(bytes).to_string(), ntohs(v6.sin6_port)};
}

}  // namespace sallyport::jail
