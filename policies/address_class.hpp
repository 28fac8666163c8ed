#pragma once
// IP addresses as values, and what kind of address each is. Pure; any thread.
// Sources: IANA IPv4/IPv6 Special-Purpose Address Registries, RFC 6890, RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380
// (Teredo).

#include "base/result.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// One IPv4 or IPv6 address, 16 bytes; IPv4 is held v4-mapped (::ffff:a.b.c.d), so there is one code path for both.
class IpAddress {
 public:
  static IpAddress from_v4(std::array<std::uint8_t, 4> bytes);
  /// A v4-mapped IPv6 address is the same value as the IPv4 address.
  static IpAddress from_v6(std::array<std::uint8_t, 16> bytes);
  /// Dotted quad or RFC 4291 text. Not accepted: octal, hex, short or decimal IPv4, brackets, zone ids, space.
  static Result<IpAddress> parse(std::string_view text);

  bool is_v4() const;
  std::array<std::uint8_t, 16> const& bytes() const { return bytes_; }
  std::array<std::uint8_t, 4> v4_bytes() const;  // REQUIRES is_v4()
  /// Canonical text: dotted quad, or RFC 5952.
  std::string to_string() const;
  auto operator<=>(IpAddress const&) const = default;

 private:
  explicit IpAddress(std::array<std::uint8_t, 16> bytes) : bytes_(bytes) {}
  std::array<std::uint8_t, 16> bytes_;
};

enum class AddressClass {
  public_,   // may be dialled under `resolve: public`; the documentation ranges count as public
  private_,  // RFC 1918
  loopback,
  link_local,
  metadata,      // cloud metadata services (169.254.169.254, fd00:ec2::254, 100.100.100.200, 168.63.129.16, …)
  cgnat,         // 100.64.0.0/10
  unique_local,  // fc00::/7
  multicast,
  broadcast,
  unspecified,
  reserved,  // 0/8, 198.18/15, 240/4, … : not a unicast address of the public internet
};

/// Class of `address`. Looks inside v4-mapped, v4-compatible, NAT64, 6to4 and Teredo forms: the embedded IPv4 address
/// counts if it is worse than the outer one.
AddressClass classify(IpAddress const& address);
std::string_view to_string(AddressClass address_class);

/// A block of addresses, as in `resolve: [10.1.0.0/16]`.
class Cidr {
 public:
  /// "a.b.c.d/n", "v6/n", or a single address. Bits below the prefix must be zero.
  static Result<Cidr> parse(std::string_view text);
  bool contains(IpAddress const& address) const;
  bool is_single_address() const { return prefix_bits_ == 128; }
  /// How narrow it is: of two that contain an address, the one with more is inside the other.
  int prefix_bits() const { return prefix_bits_; }
  std::string to_string() const;
  bool operator==(Cidr const&) const = default;

 private:
  Cidr(IpAddress base, int prefix_bits) : base_(base), prefix_bits_(prefix_bits) {}
  IpAddress base_;
  int prefix_bits_;  // of the 128-bit form: an IPv4 /8 is 104
};

/// A cloud metadata address inside `block`, if there is one.
std::optional<IpAddress> metadata_address_in(Cidr const& block);

}  // namespace sallyport::policies
