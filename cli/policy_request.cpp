#include "cli/policy_request.hpp"

#include "proxy/request_target.hpp"

#include <string>
#include <utility>

namespace sallyport::cli {

namespace {

using policies::CanonicalPath;
using policies::Request;
using policies::Scheme;

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

Result<Request> parse_connect(std::string_view authority) {
  auto target = proxy::parse_connect_authority(authority);
  if (!target) return target.error();
  return Request{std::move(target->host), target->port, Scheme::tunnel, "", std::nullopt};
}

}  // namespace

Result<policies::Request> parse_request(std::string_view method, std::string_view url) {
  if (method == "CONNECT") return parse_connect(url);
  bool const https = url.starts_with(kHttps);
  if (!https && !url.starts_with(kHttp)) {
    return Error{Code::invalid, 0, "a URL begins with http:// or https://; CONNECT takes HOST:PORT"};
  }
  auto const rest = url.substr(https ? kHttps.size() : kHttp.size());
  auto const authority_end = rest.find_first_of("/?#");
  auto authority = proxy::parse_host_field(rest.substr(0, authority_end), https ? 443 : 80);
  if (!authority) return authority.error();

  auto path_text = authority_end == std::string_view::npos ? std::string() : std::string(rest.substr(authority_end));
  if (!path_text.starts_with('/')) path_text.insert(path_text.begin(), '/');
  auto path = CanonicalPath::from(path_text);
  if (!path) return path.error();
  auto const scheme = https ? Scheme::https : Scheme::http;
  return Request{std::move(authority->host), authority->port, scheme, std::string(method), std::move(*path)};
}

}  // namespace sallyport::cli
