#include "proxy/proxy_header.hpp"

#include "base/limits.hpp"
#include "proxy/byte_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_view_literals;

constexpr auto kSignature = "\r\n\r\n\0\r\nQUIT\n"sv;
constexpr std::size_t kFixedBytes = 16;  // signature, version and command, family, length
constexpr std::uint8_t kVersion2 = 0x20;
constexpr std::uint8_t kLocal = 0;
constexpr std::uint8_t kProxy = 1;
constexpr std::uint8_t kTcpOverIpv4 = 0x11;
constexpr std::uint8_t kTcpOverIpv6 = 0x21;

policies::IpAddress v4(std::string_view raw) {
  std::array<std::uint8_t, 4> bytes{};
  std::copy(raw.begin(), raw.end(), bytes.begin());
  return policies::IpAddress::from_v4(bytes);
}

policies::IpAddress v6(std::string_view raw) {
  std::array<std::uint8_t, 16> bytes{};
  std::copy(raw.begin(), raw.end(), bytes.begin());
  return policies::IpAddress::from_v6(bytes);
}

/// Source address, destination address, source port, destination port. Of the destination nobody here wants to know.
template <std::size_t kAddressBytes>
std::optional<Peer> client_in(std::string_view addresses, policies::IpAddress (*read)(std::string_view)) {
  ByteReader reader(addresses);
  auto const source = reader.take(kAddressBytes);
  auto const destination = reader.take(kAddressBytes);
  auto const port = reader.u16();
  if (!source || !destination || !port || !reader.u16()) return std::nullopt;
  return Peer{read(*source), *port};
}

}  // namespace

ProxyHeaderStep parse_proxy_header(std::string_view buffer) {
  if (!kSignature.starts_with(buffer.substr(0, kSignature.size())))
    return Error::invalid("it does not begin with the signature of PROXY protocol version 2");
  if (buffer.size() < kFixedBytes) return NeedMore{};
  ByteReader reader(buffer.substr(kSignature.size()));
  auto const version_and_command = *reader.u8();
  auto const family = *reader.u8();
  auto const length = *reader.u16();
  auto const command = static_cast<std::uint8_t>(version_and_command & 0x0f);
  if ((version_and_command & 0xf0) != kVersion2) return Error::invalid("its version is not 2");
  if (command != kLocal && command != kProxy) return Error::invalid("its command is neither LOCAL nor PROXY");
  if (length > limits::kMaxProxyHeaderBytes)
    return Error{Code::limit, 0, "it is longer than " + std::to_string(limits::kMaxProxyHeaderBytes) + " bytes"};
  auto const addresses = reader.take(length);
  if (!addresses) return NeedMore{};
  ProxyHeader header{std::nullopt, kFixedBytes + length};
  if (command == kLocal || (family != kTcpOverIpv4 && family != kTcpOverIpv6)) return header;
  header.client = family == kTcpOverIpv4 ? client_in<4>(*addresses, v4) : client_in<16>(*addresses, v6);
  if (!header.client) return Error::invalid("it is too short for its addresses");
  return header;
}

}  // namespace sallyport::proxy
