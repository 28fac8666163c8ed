#pragma once
// The addresses the DNS stub hands out: one IPv4 and one IPv6 address a name, the same for the whole session. They lead
// nowhere; a connection to one tells which name the client meant. Sources: RFC 2544 (198.18.0.0/15), RFC 4193 (ULA).
// Thread: its worker's. No I/O.

#include "base/limits.hpp"
#include "base/result.hpp"
#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sallyport::proxy {

/// A random ULA /64: 0xfd, a 40-bit global id, a 16-bit subnet id (RFC 4193 section 3.1).
using UlaPrefix = std::array<std::uint8_t, 8>;
Result<UlaPrefix> random_ula_prefix();

struct SyntheticPair {
  policies::IpAddress v4;
  policies::IpAddress v6;
};

class SyntheticNames {
 public:
  explicit SyntheticNames(UlaPrefix prefix, std::size_t capacity = limits::kMaxSyntheticNames)
      : prefix_(prefix), capacity_(capacity) {}

  /// The addresses of `name`, handed out on its first call. Code::limit when there are none left.
  Result<SyntheticPair> addresses_of(policies::CanonicalHost const& name);
  /// The name `address` was handed out for.
  std::optional<policies::CanonicalHost> name_of(policies::IpAddress const& address) const;

 private:
  SyntheticPair pair(std::uint32_t number) const;

  UlaPrefix prefix_;
  std::size_t capacity_;
  std::map<policies::CanonicalHost, std::uint32_t> numbers_;
  std::vector<policies::CanonicalHost> names_;  // by number, from 1: the first address of a block is not used
};

}  // namespace sallyport::proxy
