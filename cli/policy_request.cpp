#include "cli/policy_request.hpp"

#include "proxy/request_target.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace sallyport::cli {

namespace {

using policies::CanonicalPath;
using policies::Request;
using policies::Scheme;
using policies::Upgrade;

/// How a URL begins, and what that means.
struct UrlKind {
  std::string_view prefix;
  Scheme scheme;
  Upgrade upgrade;
};
constexpr UrlKind kUrlKinds[] = {{"http://", Scheme::http, Upgrade::none},
                                 {"https://", Scheme::https, Upgrade::none},
                                 {"ws://", Scheme::http, Upgrade::websocket},
                                 {"wss://", Scheme::https, Upgrade::websocket}};

Result<Request> parse_connect(std::string_view authority) {
  auto target = proxy::parse_connect_authority(authority);
  if (!target) return target.error();
  return Request{std::move(target->host), target->port, Scheme::tunnel, "", std::nullopt};
}

}  // namespace

Result<policies::Request> parse_request(std::string_view method, std::string_view url) {
  if (method == "CONNECT") return parse_connect(url);
  auto const* const kind =
      std::find_if(std::begin(kUrlKinds), std::end(kUrlKinds), [&](UrlKind const& each) { return url.starts_with(each.prefix); });
  if (kind == std::end(kUrlKinds)) {
    return Error{Code::invalid, 0, "a URL begins with http://, https://, ws:// or wss://; CONNECT takes HOST:PORT"};
  }
  auto const rest = url.substr(kind->prefix.size());
  auto const authority_end = rest.find_first_of("/?#");
  auto authority = proxy::parse_host_field(rest.substr(0, authority_end), kind->scheme == Scheme::https ? 443 : 80);
  if (!authority) return authority.error();

  auto path_text = authority_end == std::string_view::npos ? std::string() : std::string(rest.substr(authority_end));
  if (!path_text.starts_with('/')) path_text.insert(path_text.begin(), '/');
  auto path = CanonicalPath::from(path_text);
  if (!path) return path.error();
  return Request{std::move(authority->host), authority->port, kind->scheme, std::string(method), std::move(*path), kind->upgrade};
}

}  // namespace sallyport::cli
