#pragma once
// The one form of a host that is matched, logged and sent. Pure; any thread. Hardened against hostile bytes.

#include "base/result.hpp"
#include "policies/address_class.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// A DNS name (lower case, A-labels, no root dot, 1-253 bytes, labels 1-63 of letters, digits, '-' and '_') or an IP
/// address in canonical text. Everything else is an error before any rule is looked at: NUL, control characters, space,
/// '%', '@',
/// '\\', empty labels, numeric, octal, hex and short spellings of IPv4 (2130706433, 0177.0.0.1, 0x7f.1, 127.1), zone ids.
/// A name whose last label is numeric is no DNS name (WHATWG URL "ends in a number") and is refused.
class CanonicalHost {
 public:
  /// From a host as it stands in an HTTP authority, SNI, SOCKS5 request or policy file; IPv6 in brackets or bare.
  /// U-labels are converted with UTS #46 non-transitional processing (libidn2); one root dot at the end is dropped.
  static Result<CanonicalHost> from(std::string_view raw);
  static CanonicalHost from(IpAddress const& address);

  /// Name, or address text without brackets.
  std::string const& str() const { return text_; }
  /// As written in an HTTP authority: IPv6 addresses get brackets.
  std::string authority() const;
  std::optional<IpAddress> const& address() const { return address_; }
  bool is_address() const { return address_.has_value(); }
  bool operator==(CanonicalHost const& other) const { return text_ == other.text_; }
  auto operator<=>(CanonicalHost const& other) const { return text_ <=> other.text_; }

 private:
  CanonicalHost(std::string text, std::optional<IpAddress> address) : text_(std::move(text)), address_(address) {}
  std::string text_;
  std::optional<IpAddress> address_;
};

}  // namespace sallyport::policies
