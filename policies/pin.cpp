#include "policies/pin.hpp"

#include "policies/port.hpp"
#include "policies/quote.hpp"

#include <string>
#include <utility>

namespace sallyport::policies {

namespace {

/// Takes the text before the next ':' that stands outside brackets.
std::string_view take_field(std::string_view& rest) {
  auto from = rest.starts_with('[') ? rest.find(']') : 0;
  auto colon = from == std::string_view::npos ? from : rest.find(':', from);
  auto field = rest.substr(0, colon);
  rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  return field;
}

Error bad_pin(std::string_view text, std::string_view why) {
  return Error{Code::invalid, 0,
               "--resolve " + in_quotes(text) + ": " + std::string(why) + "; write HOST:PORT:ADDR[:PORT]"};
}

}  // namespace

Result<Pin> parse_pin(std::string_view text) {
  if (text.ends_with(':')) return bad_pin(text, "ends in ':'");
  auto rest = text;
  auto host = CanonicalHost::from(take_field(rest));
  if (!host) return bad_pin(text, host.error().what);

  auto port_text = take_field(rest);
  std::uint16_t port = 0;
  if (port_text != "*") {
    auto parsed = parse_port(port_text);
    if (!parsed) return bad_pin(text, parsed.error().what);
    port = *parsed;
  }

  auto address = CanonicalHost::from(take_field(rest));
  if (!address || !address->is_address()) return bad_pin(text, "ADDR is no IP address");

  std::uint16_t to_port = 0;
  if (!rest.empty()) {
    auto parsed = parse_port(rest);
    if (!parsed) return bad_pin(text, parsed.error().what);
    to_port = *parsed;
  }
  return Pin{std::move(*host), port, *address->address(), to_port};
}

}  // namespace sallyport::policies
