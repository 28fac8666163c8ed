#include "proxy/request_target.hpp"

#include "proxy/token.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kHttpScheme = "http://";
constexpr std::uint16_t kHttpPort = 80;

Result<std::uint16_t> parse_port(std::string_view text) {
  constexpr std::size_t kMaxDigits = 5;
  std::uint32_t port = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  bool const whole = !text.empty() && error == std::errc{} && end == text.data() + text.size();
  bool const plain = whole && text.size() <= kMaxDigits && text[0] != '0';
  if (!plain || port > std::numeric_limits<std::uint16_t>::max()) return Error::invalid("port is not a number from 1 to 65535");
  return static_cast<std::uint16_t>(port);
}

/// `host` and what stands behind the colon; brackets stay on an IPv6 address.
struct HostAndPort {
  std::string_view host;
  std::optional<std::string_view> port;
};

Result<HostAndPort> split_authority(std::string_view text) {
  auto const bracket = text.find(']');
  if (text.starts_with('[') && bracket == std::string_view::npos) return Error::invalid("authority has an unclosed bracket");
  auto const host_end = std::min(text.starts_with('[') ? bracket + 1 : text.find(':'), text.size());
  auto const behind = text.substr(host_end);
  if (behind.empty()) return HostAndPort{text, std::nullopt};
  if (behind[0] != ':') return Error::invalid("authority has bytes between host and port");
  return HostAndPort{text.substr(0, host_end), behind.substr(1)};
}

Result<Authority> parse_authority(std::string_view text, std::optional<std::uint16_t> default_port) {
  auto const parts = split_authority(text);
  if (!parts) return parts.error();
  if (!parts->port && !default_port) return Error::invalid("authority has no port");
  auto const port = parts->port ? parse_port(*parts->port) : Result<std::uint16_t>(*default_port);
  if (!port) return port.error();
  auto host = policies::CanonicalHost::from(parts->host);
  if (!host) return host.error();
  return Authority{std::move(*host), *port};
}

/// The Host field, if there is one, names `authority`. Only HTTP/1.0 may leave it out; the head parser sees to that.
Result<void> check_host_field(RequestHead const& head, Authority const& authority, std::uint16_t default_port) {
  auto const field = head.field("host");
  if (!field) return {};
  auto const named = parse_host_field(*field, default_port);
  if (!named) return named.error();
  if (named->host != authority.host || named->port != authority.port)
    return Error::invalid("Host field and request target name two hosts");
  return {};
}

}  // namespace

Result<Authority> parse_connect_authority(std::string_view target) { return parse_authority(target, std::nullopt); }

Result<Authority> parse_host_field(std::string_view value, std::uint16_t default_port) {
  return parse_authority(value, default_port);
}

Result<HttpTarget> parse_absolute_target(RequestHead const& head) {
  std::string_view const target = head.target;
  if (!equal_no_case(target.substr(0, kHttpScheme.size()), kHttpScheme))
    return Error::invalid("request target is not an http:// URL");
  auto const rest = target.substr(kHttpScheme.size());
  auto const authority_end = std::min(rest.find_first_of("/?#"), rest.size());
  auto authority = parse_authority(rest.substr(0, authority_end), kHttpPort);
  if (!authority) return authority.error();
  if (auto const checked = check_host_field(head, *authority, kHttpPort); !checked) return checked.error();
  auto const path_and_query = rest.substr(authority_end);
  auto path = policies::CanonicalPath::from(path_and_query.starts_with('/') ? std::string(path_and_query)
                                                                            : "/" + std::string(path_and_query));
  if (!path) return path.error();
  return HttpTarget{std::move(authority->host), authority->port, std::move(*path), UrlScheme::http};
}

Result<HttpTarget> parse_origin_target(RequestHead const& head, std::uint16_t default_port) {
  if (!head.target.starts_with('/')) return Error::invalid("request target is not in origin-form");
  auto const field = head.field("host");
  if (!field) return Error::invalid("no Host field");
  auto authority = parse_host_field(*field, default_port);
  if (!authority) return authority.error();
  if (authority->port != default_port) return Error::invalid("Host field names another port than the one that was dialled");
  auto path = policies::CanonicalPath::from(head.target);
  if (!path) return path.error();
  return HttpTarget{std::move(authority->host), authority->port, std::move(*path), UrlScheme::http};
}

}  // namespace sallyport::proxy
