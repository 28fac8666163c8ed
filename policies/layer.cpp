#include "policies/layer.hpp"

#include "policies/host_pattern.hpp"
#include "policies/port.hpp"
#include "policies/quote.hpp"
#include "policies/rule_checks.hpp"

#include <utility>

namespace sallyport::policies {

namespace {

struct HostAndPort {
  std::string_view host;
  std::string_view port;
};

/// "name:port", "[v6]:port", or a host alone; a bare IPv6 address has more than one colon and no port.
HostAndPort split_port(std::string_view text) {
  auto const colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text, "443"};
  bool const bracketed = text.starts_with('[') && colon > 0 && text[colon - 1] == ']';
  bool const only_colon = text.find(':') == colon;
  if (!bracketed && !only_colon) return {text, "443"};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::optional<Layer> allow_layer(std::string_view text, Problems& problems) {
  auto const label = "--allow " + std::string(text);
  auto const before = problems.size();
  Place const place{"--allow " + in_quotes(text), 0, 0};
  auto const [host, port_text] = split_port(text);
  auto pattern = HostPattern::parse(host);
  if (!pattern) problems.push_back({place, pattern.error().what});
  auto port = parse_port(port_text);
  if (!port) problems.push_back({place, port.error().what});
  if (!pattern || !port) return std::nullopt;

  Layer layer;
  layer.label = label;
  layer.bytes = text;
  Rule rule;
  rule.name = label;
  rule.hosts = {pattern->to_string()};
  rule.ports = {*port};
  rule.inspect = Inspect::sni;
  rule.action = Action::allow;
  check_hosts(rule, {{*pattern, place}}, PublicSuffix::refused, problems);
  if (problems.size() != before) return std::nullopt;
  layer.rules.push_back(std::move(rule));
  return layer;
}

}  // namespace sallyport::policies
