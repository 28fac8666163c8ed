#include "policies/address_class.hpp"

#include "base/check.hpp"
#include "policies/quote.hpp"

#include <arpa/inet.h>
#include <algorithm>
#include <charconv>

namespace sallyport::policies {

namespace {

using V4 = std::array<std::uint8_t, 4>;
using V6 = std::array<std::uint8_t, 16>;

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

struct V4Block {
  V4 base;
  int bits;
  AddressClass address_class;
};

/// First match counts. IANA IPv4 Special-Purpose Address Registry, and the documented metadata addresses of cloud
/// providers.
constexpr V4Block kV4Blocks[] = {
    {{169, 254, 169, 254}, 32, AddressClass::metadata},  // most providers
    {{169, 254, 169, 253}, 32, AddressClass::metadata},  // AWS resolver
    {{169, 254, 169, 123}, 32, AddressClass::metadata},  // AWS time service
    {{169, 254, 170, 2}, 32, AddressClass::metadata},    // AWS ECS task credentials
    {{169, 254, 170, 23}, 32, AddressClass::metadata},   // AWS EKS pod identity
    {{100, 100, 100, 200}, 32, AddressClass::metadata},  // Alibaba Cloud
    {{168, 63, 129, 16}, 32, AddressClass::metadata},    // Azure host agent
    {{192, 0, 0, 192}, 32, AddressClass::metadata},      // Oracle Cloud
    {{0, 0, 0, 0}, 32, AddressClass::unspecified},       {{0, 0, 0, 0}, 8, AddressClass::reserved},
    {{10, 0, 0, 0}, 8, AddressClass::private_},          {{100, 64, 0, 0}, 10, AddressClass::cgnat},
    {{127, 0, 0, 0}, 8, AddressClass::loopback},         {{169, 254, 0, 0}, 16, AddressClass::link_local},
    {{172, 16, 0, 0}, 12, AddressClass::private_},       {{192, 0, 0, 0}, 24, AddressClass::reserved},
    {{192, 88, 99, 0}, 24, AddressClass::reserved},      {{192, 168, 0, 0}, 16, AddressClass::private_},
    {{198, 18, 0, 0}, 15, AddressClass::reserved},       {{224, 0, 0, 0}, 4, AddressClass::multicast},
    {{255, 255, 255, 255}, 32, AddressClass::broadcast}, {{240, 0, 0, 0}, 4, AddressClass::reserved},
};

struct V6Block {
  V6 base;
  int bits;
  AddressClass address_class;
};

/// First match counts; what no block names is reserved, because only 2000::/3 is global unicast.
constexpr V6Block kV6Blocks[] = {
    {{0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, AddressClass::metadata},  // AWS
    {{0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x23}, 128, AddressClass::metadata},  // AWS EKS
    {{0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x53}, 128, AddressClass::metadata},  // AWS resolver
    {{0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, AddressClass::metadata},  // Google
    {{0xfd, 0x00, 0x00, 0xc1, 0, 0, 0, 0, 0, 0, 0, 0, 0xa9, 0xfe, 0xa9, 0xfe}, 128, AddressClass::metadata},  // Oracle
    {{}, 128, AddressClass::unspecified},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressClass::loopback},
    {{0x00, 0x64, 0xff, 0x9b}, 96, AddressClass::public_},  // NAT64: the embedded address counts
    {{0x20, 0x01, 0x00, 0x00}, 32, AddressClass::public_},  // Teredo: the embedded addresses count
    {{0x20, 0x01, 0x0d, 0xb8}, 32, AddressClass::public_},  // documentation
    {{0x20, 0x01}, 23, AddressClass::reserved},
    {{0x20}, 3, AddressClass::public_},
    {{0xfc}, 7, AddressClass::unique_local},
    {{0xfe, 0x80}, 10, AddressClass::link_local},
    {{0xff}, 8, AddressClass::multicast},
};

template <std::size_t N>
bool same_prefix(std::array<std::uint8_t, N> const& a, std::array<std::uint8_t, N> const& b, int bits) {
  auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) return false;
  int rest = bits % 8;
  return rest == 0 || (a[whole] >> (8 - rest)) == (b[whole] >> (8 - rest));
}

template <std::size_t N>
bool begins_with(V6 const& bytes, std::array<std::uint8_t, N> const& prefix) {
  return std::equal(prefix.begin(), prefix.end(), bytes.begin());
}

AddressClass classify_v4(V4 const& bytes) {
  for (auto const& block : kV4Blocks) {
    if (same_prefix(bytes, block.base, block.bits)) return block.address_class;
  }
  return AddressClass::public_;
}

AddressClass classify_v6(V6 const& bytes) {
  for (auto const& block : kV6Blocks) {
    if (same_prefix(bytes, block.base, block.bits)) return block.address_class;
  }
  return AddressClass::reserved;
}

V4 v4_at(V6 const& bytes, std::size_t offset, std::uint8_t mask = 0) {
  V4 v4{};
  for (std::size_t i = 0; i < v4.size(); ++i) v4[i] = static_cast<std::uint8_t>(bytes[offset + i] ^ mask);
  return v4;
}

/// The class of an IPv4 address inside `bytes`, if the form has one and it is not public.
std::optional<AddressClass> embedded_class(V6 const& bytes) {
  constexpr std::array<std::uint8_t, 12> kCompatible{};
  constexpr std::array<std::uint8_t, 12> kNat64 = {0x00, 0x64, 0xff, 0x9b};
  constexpr std::array<std::uint8_t, 2> kSixToFour = {0x20, 0x02};
  constexpr std::array<std::uint8_t, 4> kTeredo = {0x20, 0x01, 0, 0};
  auto inner = AddressClass::public_;
  if (begins_with(bytes, kCompatible) || begins_with(bytes, kNat64)) inner = classify_v4(v4_at(bytes, 12));
  if (begins_with(bytes, kSixToFour)) inner = classify_v4(v4_at(bytes, 2));
  if (begins_with(bytes, kTeredo)) {
    inner = classify_v4(v4_at(bytes, 12, 0xff));                               // the client, stored inverted
    if (inner == AddressClass::public_) inner = classify_v4(v4_at(bytes, 4));  // the server
  }
  if (inner == AddressClass::public_) return std::nullopt;
  return inner;
}

std::optional<V6> read_v6(std::string const& text) {
  V6 bytes{};
  if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

std::optional<V4> read_v4(std::string const& text) {
  V4 bytes{};
  if (::inet_pton(AF_INET, text.c_str(), bytes.data()) != 1) return std::nullopt;
  return bytes;
}

}  // namespace

IpAddress IpAddress::from_v4(std::array<std::uint8_t, 4> bytes) {
  V6 mapped{};
  std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), mapped.begin());
  std::copy(bytes.begin(), bytes.end(), mapped.begin() + kMappedPrefix.size());
  return IpAddress(mapped);
}

IpAddress IpAddress::from_v6(std::array<std::uint8_t, 16> bytes) { return IpAddress(bytes); }

Result<IpAddress> IpAddress::parse(std::string_view text) {
  std::string const terminated(text);
  bool plain = text.find('\0') == std::string_view::npos;
  if (plain && text.find(':') != std::string_view::npos) {
    if (auto bytes = read_v6(terminated)) return from_v6(*bytes);
  } else if (plain) {
    if (auto bytes = read_v4(terminated)) return from_v4(*bytes);
  }
  return Error{Code::invalid, 0, in_quotes(text) + " is not an IP address in its usual form"};
}

bool IpAddress::is_v4() const { return begins_with(bytes_, kMappedPrefix); }

std::array<std::uint8_t, 4> IpAddress::v4_bytes() const {
  check(is_v4(), "v4_bytes() of an IPv4 address");
  return v4_at(bytes_, kMappedPrefix.size());
}

std::string IpAddress::to_string() const {
  char text[INET6_ADDRSTRLEN] = {};
  if (is_v4()) {
    ::inet_ntop(AF_INET, v4_bytes().data(), text, sizeof text);
  } else {
    ::inet_ntop(AF_INET6, bytes_.data(), text, sizeof text);
  }
  return text;
}

AddressClass classify(IpAddress const& address) {
  if (address.is_v4()) return classify_v4(address.v4_bytes());
  auto outer = classify_v6(address.bytes());
  bool is_special = outer != AddressClass::public_ && outer != AddressClass::reserved;
  if (is_special) return outer;
  return embedded_class(address.bytes()).value_or(outer);
}

std::string_view to_string(AddressClass address_class) {
  switch (address_class) {
    case AddressClass::public_:
      return "public";
    case AddressClass::private_:
      return "private";
    case AddressClass::loopback:
      return "loopback";
    case AddressClass::link_local:
      return "link-local";
    case AddressClass::metadata:
      return "metadata";
    case AddressClass::cgnat:
      return "cgnat";
    case AddressClass::unique_local:
      return "unique-local";
    case AddressClass::multicast:
      return "multicast";
    case AddressClass::broadcast:
      return "broadcast";
    case AddressClass::unspecified:
      return "unspecified";
    case AddressClass::reserved:
      return "reserved";
  }
  return "reserved";
}

Result<Cidr> Cidr::parse(std::string_view text) {
  auto slash = text.find('/');
  auto base = IpAddress::parse(text.substr(0, slash));
  if (!base) return base.error();
  int const width = text.find(':') == std::string_view::npos ? 32 : 128;
  int bits = width;
  if (slash != std::string_view::npos) {
    auto digits = text.substr(slash + 1);
    auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    bool canonical = failed == std::errc() && end == digits.data() + digits.size() && std::to_string(bits) == digits;
    if (!canonical || bits < 0 || bits > width) {
      return Error{Code::invalid, 0, in_quotes(text) + " needs a prefix length from 0 to " + std::to_string(width)};
    }
  }
  int const bits_of_128 = 128 - width + bits;
  auto floor = base->bytes();
  for (int bit = bits_of_128; bit < 128; ++bit) {
    auto mask = static_cast<std::uint8_t>(~(0x80 >> (bit % 8)));
    floor[static_cast<std::size_t>(bit / 8)] &= mask;
  }
  if (floor != base->bytes()) {
    Cidr wanted(IpAddress::from_v6(floor), bits_of_128);
    return Error{Code::invalid, 0, in_quotes(text) + " has bits below its prefix; write " + wanted.to_string()};
  }
  return Cidr(*base, bits_of_128);
}

bool Cidr::contains(IpAddress const& address) const { return same_prefix(address.bytes(), base_.bytes(), prefix_bits_); }

std::string Cidr::to_string() const {
  int const offset = base_.is_v4() && prefix_bits_ >= 96 ? 96 : 0;
  return base_.to_string() + "/" + std::to_string(prefix_bits_ - offset);
}

std::optional<IpAddress> metadata_address_in(Cidr const& block) {
  for (auto const& v4 : kV4Blocks) {
    auto address = IpAddress::from_v4(v4.base);
    if (v4.address_class == AddressClass::metadata && block.contains(address)) return address;
  }
  for (auto const& v6 : kV6Blocks) {
    auto address = IpAddress::from_v6(v6.base);
    if (v6.address_class == AddressClass::metadata && block.contains(address)) return address;
  }
  return std::nullopt;
}

}  // namespace sallyport::policies
