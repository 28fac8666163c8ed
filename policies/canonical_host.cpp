#include "policies/canonical_host.hpp"

#include "base/limits.hpp"
#include "policies/quote.hpp"

#include <idn2.h>
#include <algorithm>
#include <memory>

namespace sallyport::policies {

namespace {

/// Longer input is not converted: 253 bytes of A-labels cannot come from more UTF-8 than this without being padded.
constexpr std::size_t kMaxRawBytes = 4 * limits::kMaxHostBytes;

Error bad_host(std::string_view raw, std::string_view why) {
  return Error{Code::invalid, 0, "host " + in_quotes(raw) + " " + std::string(why)};
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_name_byte(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_'; }

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// UTS #46 section 4, non-transitional, to A-labels.
Result<std::string> to_ascii(std::string_view raw) {
  std::string const terminated(raw);
  char* converted = nullptr;
  int status = ::idn2_to_ascii_8z(terminated.c_str(), &converted, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
  std::unique_ptr<char, decltype(&::idn2_free)> owner(converted, &::idn2_free);
  if (status != IDN2_OK) return bad_host(raw, std::string("is no internationalised name: ") + ::idn2_strerror(status));
  return std::string(converted);
}

/// WHATWG URL, "ends in a number": such a name would be taken for an IPv4 address by many clients.
bool is_number(std::string_view label) {
  if (label.starts_with("0x")) return std::all_of(label.begin() + 2, label.end(), is_hex_digit);
  return std::all_of(label.begin(), label.end(), is_digit);
}

/// name = label *( "." label )      RFC 1035 section 2.3.1, with '_' and digits anywhere
Result<std::string> checked_name(std::string name, std::string_view raw) {
  if (name.size() > limits::kMaxHostBytes) return bad_host(raw, "is longer than 253 bytes");
  std::string_view rest = name;
  std::string_view label;
  for (bool last = false; !last;) {
    auto dot = rest.find('.');
    last = dot == std::string_view::npos;
    label = rest.substr(0, dot);
    if (label.empty()) return bad_host(raw, "has an empty label");
    if (label.size() > limits::kMaxLabelBytes) return bad_host(raw, "has a label longer than 63 bytes");
    if (!std::all_of(label.begin(), label.end(), is_name_byte)) {
      return bad_host(raw, "may hold only letters, digits, '-', '_' and dots");
    }
    if (!last) rest.remove_prefix(dot + 1);
  }
  if (is_number(label)) return bad_host(raw, "ends in a number and is no IPv4 address in its usual form");
  return name;
}

/// IPv6, in brackets or bare.
Result<CanonicalHost> from_ipv6_text(std::string_view raw) {
  auto text = raw;
  if (text.starts_with('[')) {
    if (!text.ends_with(']')) return bad_host(raw, "has an opening bracket only");
    text = text.substr(1, text.size() - 2);
  }
  if (text.find(':') == std::string_view::npos) return bad_host(raw, "has brackets around what is no IPv6 address");
  auto address = IpAddress::parse(text);
  if (!address) return bad_host(raw, "is no IPv6 address (ports and zone ids do not belong here)");
  return CanonicalHost::from(*address);
}

}  // namespace

Result<CanonicalHost> CanonicalHost::from(std::string_view raw) {
  if (raw.empty()) return bad_host(raw, "is empty");
  if (raw.size() > kMaxRawBytes) return bad_host(raw, "is too long");
  if (raw.find('\0') != std::string_view::npos) return bad_host(raw, "holds a NUL byte");
  if (raw.starts_with('[') || raw.find(':') != std::string_view::npos) return from_ipv6_text(raw);
  if (auto address = IpAddress::parse(raw)) return from(*address);

  std::string name(raw);
  if (!is_ascii(raw)) {
    auto converted = to_ascii(raw);
    if (!converted) return converted.error();
    name = *converted;
  }
  name = to_lower(name);
  if (name.ends_with('.')) name.pop_back();
  if (name.empty()) return bad_host(raw, "has no label");
  auto checked = checked_name(std::move(name), raw);
  if (!checked) return checked.error();
  return CanonicalHost(std::move(*checked), std::nullopt);
}

CanonicalHost CanonicalHost::from(IpAddress const& address) { return CanonicalHost(address.to_string(), address); }

std::string CanonicalHost::authority() const {
  bool const needs_brackets = address_ && !address_->is_v4();
  return needs_brackets ? "[" + text_ + "]" : text_;
}

}  // namespace sallyport::policies
