#include "proxy/socks5.hpp"

#include "proxy/byte_reader.hpp"

#include <array>

namespace sallyport::proxy::socks5 {
namespace {

constexpr std::uint8_t kVersion = 5;
constexpr char kNoAuthentication = 0;
constexpr std::uint8_t kConnect = 1;
constexpr std::uint8_t kIpv4 = 1;
constexpr std::uint8_t kDomainName = 3;
constexpr std::uint8_t kIpv6 = 4;
Refusal refuse(Reply reply, std::string what) { return Refusal{reply, Error::invalid(std::move(what))}; }

template <std::size_t kBytes>
std::array<std::uint8_t, kBytes> to_array(std::string_view raw) {
  std::array<std::uint8_t, kBytes> bytes{};
  for (std::size_t i = 0; i < kBytes; ++i) bytes[i] = static_cast<std::uint8_t>(raw[i]);
  return bytes;
}

/// DST.ADDR as raw bytes, once they are there.
std::optional<std::string_view> take_address(ByteReader& reader, std::uint8_t address_type) {
  if (address_type == kIpv4) return reader.take(4);
  if (address_type == kIpv6) return reader.take(16);
  return reader.vector8();
}

Result<policies::CanonicalHost> to_host(std::uint8_t address_type, std::string_view raw) {
  using policies::CanonicalHost;
  using policies::IpAddress;
  if (address_type == kIpv4) return CanonicalHost::from(IpAddress::from_v4(to_array<4>(raw)));
  if (address_type == kIpv6) return CanonicalHost::from(IpAddress::from_v6(to_array<16>(raw)));
  return CanonicalHost::from(raw);
}

/// VER CMD RSV ATYP, as far as they are there.
std::optional<Refusal> check_header(std::string_view buffer) {
  ByteReader reader(buffer);
  auto const version = reader.u8();
  if (version && *version != kVersion) return refuse(Reply::general_failure, "not a SOCKS5 request");
  auto const command = reader.u8();
  if (command && *command != kConnect) return refuse(Reply::command_not_supported, "SOCKS5 command is not CONNECT");
  auto const reserved = reader.u8();
  if (reserved && *reserved != 0) return refuse(Reply::general_failure, "SOCKS5 reserved byte is not zero");
  auto const type = reader.u8();
  bool const known = !type || *type == kIpv4 || *type == kDomainName || *type == kIpv6;
  if (!known) return refuse(Reply::address_type_not_supported, "SOCKS5 address type is unknown");
  return std::nullopt;
}

}  // namespace

GreetingStep parse_greeting(std::string_view buffer) {
  ByteReader reader(buffer);
  auto const version = reader.u8();
  if (version && *version != kVersion) return Error::invalid("not a SOCKS5 greeting");
  auto const count = reader.u8();
  if (count && *count == 0) return Error::invalid("SOCKS5 greeting without methods");
  auto const methods = count ? reader.take(*count) : std::nullopt;
  if (!methods) return NeedMore{};
  return Greeting{methods->find(kNoAuthentication) != std::string_view::npos, reader.position()};
}

std::string method_reply(Greeting const& greeting) {
  constexpr char kNoneAcceptable = '\xff';
  return {static_cast<char>(kVersion), greeting.no_authentication ? kNoAuthentication : kNoneAcceptable};
}

RequestStep parse_request(std::string_view buffer) {
  constexpr std::size_t kAddressTypeAt = 3;
  if (auto refusal = check_header(buffer)) return std::move(*refusal);
  ByteReader reader(buffer);
  if (!reader.take(kAddressTypeAt)) return NeedMore{};
  auto const type = reader.u8();
  auto const raw = type ? take_address(reader, *type) : std::nullopt;
  auto const port = raw ? reader.u16() : std::nullopt;
  if (!port) return NeedMore{};
  if (*port == 0) return refuse(Reply::not_allowed, "port is 0");
  auto host = to_host(*type, *raw);
  if (!host) return Refusal{Reply::not_allowed, host.error()};
  return ConnectRequest{std::move(*host), *port, reader.position()};
}

std::string reply(Reply code) {
  constexpr std::string_view kUnspecifiedIpv4Port("\x00\x01\x00\x00\x00\x00\x00\x00", 8);  // RSV ATYP BND.ADDR BND.PORT
  return std::string{static_cast<char>(kVersion), static_cast<char>(code)} + std::string(kUnspecifiedIpv4Port);
}

}  // namespace sallyport::proxy::socks5
