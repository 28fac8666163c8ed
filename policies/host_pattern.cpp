#include "policies/host_pattern.hpp"

#include "policies/quote.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

Error bad_pattern(std::string_view raw, std::string_view why) {
  return Error{Code::invalid, 0, "host " + in_quotes(raw) + " " + std::string(why)};
}

/// Patterns that look like something else: a URL, an authority, a cookie domain.
Result<void> check_is_host(std::string_view raw) {
  if (raw.find("://") != std::string_view::npos)
    return bad_pattern(raw, "is a URL; write the host alone, as in example.com");
  if (raw.find('/') != std::string_view::npos) return bad_pattern(raw, "has a path; write it under 'paths'");
  if (raw.find('@') != std::string_view::npos) return bad_pattern(raw, "has a user name; write the host alone");
  if (raw.starts_with('.'))
    return bad_pattern(raw, "begins with a dot; write '*" + std::string(raw) + "' or '**" + std::string(raw) + "'");
  bool const one_colon = std::count(raw.begin(), raw.end(), ':') == 1;
  bool const bracket_port = raw.find("]:") != std::string_view::npos;
  if (one_colon || bracket_port) return bad_pattern(raw, "has a port; write it under 'ports'");
  return {};
}

Result<HostPattern> parse_wildcard(std::string_view raw, HostPattern::Kind kind, std::string_view domain) {
  if (domain.find('*') != std::string_view::npos) {
    return bad_pattern(raw,
                       "has a '*' that can never match; write '*.' or '**.' before a name, or one '*' in the first label");
  }
  auto host = CanonicalHost::from(domain);
  if (!host) return host.error();
  if (host->is_address()) return bad_pattern(raw, "has a wildcard before an address; list addresses one by one");
  return HostPattern{kind, host->str(), "", ""};
}

Result<HostPattern> parse_partial(std::string_view raw) {
  auto const star = raw.find('*');
  auto const dot = raw.find('.');
  if (dot == std::string_view::npos)
    return bad_pattern(raw, "needs a domain after its first label, as in api-*.example.com");
  if (star > dot) return bad_pattern(raw, "has a '*' after the first label, which can never match");
  auto pattern = parse_wildcard(raw, HostPattern::Kind::partial, raw.substr(dot + 1));
  if (!pattern) return pattern.error();
  auto before = raw.substr(0, star);
  auto after = raw.substr(star + 1, dot - star - 1);
  bool const ascii =
      std::all_of(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(dot), [](char c) { return c > 0x20; });
  auto example = CanonicalHost::from(std::string(before) + "x" + std::string(after) + "." + pattern->domain);
  if (!ascii || !example) return bad_pattern(raw, "has a first label that no host can have");
  pattern->before = example->str().substr(0, before.size());
  pattern->after = example->str().substr(before.size() + 1, after.size());
  return pattern;
}

/// What stands before ".domain" in `host`, or empty if `host` is not below the domain.
std::string_view labels_below(std::string_view host, std::string_view domain) {
  if (host.size() <= domain.size() + 1 || !host.ends_with(domain)) return {};
  auto const dot = host.size() - domain.size() - 1;
  return host[dot] == '.' ? host.substr(0, dot) : std::string_view{};
}

}  // namespace

Result<HostPattern> HostPattern::parse(std::string_view raw) {
  if (raw == "*") return HostPattern{Kind::any, "", "", ""};
  if (auto is_host = check_is_host(raw); !is_host) return is_host.error();
  if (raw.starts_with("**.")) return parse_wildcard(raw, Kind::tree, raw.substr(3));
  if (raw.starts_with("*.")) return parse_wildcard(raw, Kind::below, raw.substr(2));
  if (raw.find('*') != std::string_view::npos) return parse_partial(raw);
  auto host = CanonicalHost::from(raw);
  if (!host) return host.error();
  return HostPattern{Kind::exact, host->str(), "", ""};
}

bool HostPattern::matches(CanonicalHost const& host) const {
  if (kind == Kind::exact) return host.str() == domain;
  if (host.is_address()) return false;
  if (kind == Kind::any) return true;
  if (kind == Kind::tree && host.str() == domain) return true;
  auto const labels = labels_below(host.str(), domain);
  if (kind != Kind::partial) return !labels.empty();
  return labels.find('.') == std::string_view::npos && labels.size() > before.size() + after.size() &&
         labels.starts_with(before) && labels.ends_with(after);
}

std::string HostPattern::to_string() const {
  switch (kind) {
    case Kind::exact:
      return domain;
    case Kind::below:
      return "*." + domain;
    case Kind::tree:
      return "**." + domain;
    case Kind::partial:
      return before + "*" + after + "." + domain;
    case Kind::any:
      return "*";
  }
  return domain;
}

}  // namespace sallyport::policies
