#include "policies/upstream_proxy.hpp"

#include "policies/port.hpp"
#include "policies/quote.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sallyport::policies {
namespace {

struct Scheme {
  std::string_view name;
  UpstreamProxyKind kind;
  bool looks_up_names;
};
constexpr std::array<Scheme, 4> kSchemes = {{{"http", UpstreamProxyKind::http, true},
                                             {"https", UpstreamProxyKind::https, true},
                                             {"socks5", UpstreamProxyKind::socks5, false},
                                             {"socks5h", UpstreamProxyKind::socks5, true}}};
constexpr std::size_t kMaxCredentialBytes = 255;  // RFC 1929 has one byte for the length

Error bad_proxy(std::string const& why) {
  return Error{Code::invalid, 0,
               "the upstream proxy " + why +
                   "; write SCHEME://[USER:PASSWORD@]HOST:PORT, the scheme one of http, https, socks5, socks5h"};
}

std::optional<Scheme> scheme_of(boost::urls::url_view const& url) {
  std::string_view const name = url.scheme();
  auto const found = std::find_if(kSchemes.begin(), kSchemes.end(), [&](auto const& each) { return each.name == name; });
  return found == kSchemes.end() ? std::nullopt : std::optional(*found);
}

bool is_bare(boost::urls::url_view const& url) {
  auto const path = url.encoded_path();
  return (path.empty() || path == "/") && !url.has_query() && !url.has_fragment();
}

/// What would end a field of the request that carries it, or cannot be told apart in it (RFC 7617 section 2).
bool is_sendable(std::string const& user, std::string const& password) {
  auto const is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  return user.find(':') == std::string::npos && user.size() <= kMaxCredentialBytes &&
         password.size() <= kMaxCredentialBytes && std::none_of(user.begin(), user.end(), is_control) &&
         std::none_of(password.begin(), password.end(), is_control);
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Error bad_direct_host(std::string_view item) {
  return Error{Code::invalid, 0,
               "the list of hosts reached without the upstream proxy has " + in_quotes(item) +
                   "; write names, addresses, CIDR blocks or '*', with commas between them"};
}

}  // namespace

Result<UpstreamProxy> parse_upstream_proxy(std::string_view text) {
  auto const parsed = boost::urls::parse_uri(boost::core::string_view(text.data(), text.size()));
  if (!parsed || !parsed->has_authority()) return bad_proxy("is no URL");
  auto const& url = *parsed;
  auto const scheme = scheme_of(url);
  if (!scheme) return bad_proxy("has the scheme " + in_quotes(std::string(url.scheme())));
  if (!is_bare(url)) return bad_proxy("has something behind the port");
  auto host = CanonicalHost::from(std::string(url.encoded_host()));
  if (!host) return bad_proxy("has a host that cannot be used: " + host.error().what);
  auto const port = parse_port(std::string(url.port()));
  if (!port) return bad_proxy(url.has_port() ? "has a wrong port: " + port.error().what : "has no port");
  UpstreamProxy proxy{scheme->kind, *std::move(host), *port, url.user(), url.password(), scheme->looks_up_names};
  if (!is_sendable(proxy.user, proxy.password))
    return bad_proxy(
        "has a user or password that cannot be sent: too long, or with a control character, or a ':' in the user");
  if (proxy.user.empty() && !proxy.password.empty()) return bad_proxy("has a password and no user");
  return proxy;
}

std::string to_string(UpstreamProxy const& proxy) {
  auto const found = std::find_if(kSchemes.begin(), kSchemes.end(), [&](auto const& each) {
    return each.kind == proxy.kind &&
           (each.looks_up_names == proxy.looks_up_names || each.kind != UpstreamProxyKind::socks5);
  });
  return std::string(found->name) + "://" + proxy.host.authority() + ':' + std::to_string(proxy.port);
}

Result<DirectHosts> DirectHosts::parse(std::string_view list) {
  DirectHosts hosts;
  while (!list.empty()) {
    auto const comma = std::min(list.find(','), list.size());
    auto const item = trimmed(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
    if (item.empty()) continue;
    if (item == "*") {
      hosts.every_ = true;
    } else if (auto block = Cidr::parse(item)) {
      hosts.blocks_.push_back(*std::move(block));
    } else {
      auto name = CanonicalHost::from(item.substr(item.starts_with('.') ? 1 : 0));
      if (!name || name->is_address()) return bad_direct_host(item);
      hosts.names_.push_back(name->str());
    }
  }
  return hosts;
}

bool DirectHosts::contain(CanonicalHost const& host) const {
  if (every_) return true;
  if (auto const& address = host.address()) {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](auto const& block) { return block.contains(*address); });
  }
  return std::any_of(names_.begin(), names_.end(),
                     [&](std::string const& name) { return host.str() == name || host.str().ends_with('.' + name); });
}

}  // namespace sallyport::policies
