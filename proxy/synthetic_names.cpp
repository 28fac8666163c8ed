#include "proxy/synthetic_names.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>

namespace sallyport::proxy {
namespace {

constexpr std::uint32_t kV4Base = (198U << 24) | (18U << 16);

std::array<std::uint8_t, 4> big_endian(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16),
          static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}

std::uint32_t from_big_endian(std::uint8_t const* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace

Result<UlaPrefix> random_ula_prefix() {
  UlaPrefix prefix;
  if (::getrandom(prefix.data(), prefix.size(), 0) != static_cast<ssize_t>(prefix.size())) {
    return Error::os(errno, "getrandom");
  }
  prefix[0] = 0xfd;
  return prefix;
}

SyntheticPair SyntheticNames::pair(std::uint32_t number) const {
  std::array<std::uint8_t, 16> v6{};
  std::copy(prefix_.begin(), prefix_.end(), v6.begin());
  auto const low = big_endian(number);
  std::copy(low.begin(), low.end(), v6.begin() + 12);
  return {policies::IpAddress::from_v4(big_endian(kV4Base + number)), policies::IpAddress::from_v6(v6)};
}

Result<SyntheticPair> SyntheticNames::addresses_of(policies::CanonicalHost const& name) {
  auto const found = numbers_.find(name);
  if (found != numbers_.end()) return pair(found->second);
  if (names_.size() >= capacity_) return Error{Code::limit, 0, "no synthetic address is left in this session"};
  names_.push_back(name);
  auto const number = static_cast<std::uint32_t>(names_.size());
  numbers_.emplace(name, number);
  return pair(number);
}

std::optional<policies::CanonicalHost> SyntheticNames::name_of(policies::IpAddress const& address) const {
  auto const bytes = address.bytes();
  auto const low = from_big_endian(bytes.data() + 12);
  auto const number = address.is_v4() ? low - kV4Base : low;
  if (number == 0 || number > names_.size()) return std::nullopt;
  auto const expected = pair(number);
  if (address != expected.v4 && address != expected.v6) return std::nullopt;
  return names_[number - 1];
}

}  // namespace sallyport::proxy
