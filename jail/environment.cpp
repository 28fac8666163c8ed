#include "jail/environment.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sallyport::jail {
namespace {

/// Passed as they are. None of them holds a secret or loads code into a program.
constexpr std::array<std::string_view, 18> kPassed = {
    "PATH",   "HOME",      "USER",     "LOGNAME",     "SHELL",       "TERM",   "COLORTERM", "LANG", "LANGUAGE",
    "TZ",     "NO_COLOR",  "CLICOLOR", "FORCE_COLOR", "COLUMNS",     "LINES",  "CI",        "PAGER", "EDITOR"};

/// Where certificates are: passed when the value is an absolute path, so that a corporate CA goes on working.
constexpr std::array<std::string_view, 12> kCertificatePaths = {
    "SSL_CERT_FILE",  "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",   "GIT_SSL_CAINFO",
    "PIP_CERT",       "AWS_CA_BUNDLE", "CARGO_HTTP_CAINFO",  "NIX_SSL_CERT_FILE",  "HTTPLIB2_CA_CERTS",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"};

constexpr std::string_view kNoProxy = "localhost,127.0.0.1,::1";

bool is_passed(std::string_view name, std::string_view value, policies::Environment const& policy) {
  if (std::ranges::find(kPassed, name) != kPassed.end()) return true;
  if (name.starts_with("LC_")) return true;
  if (std::ranges::find(kCertificatePaths, name) != kCertificatePaths.end()) return value.starts_with('/');
  return std::ranges::find(policy.pass, name) != policy.pass.end();
}

void add_proxy(Variables& out, std::uint16_t port) {
  std::string const number = std::to_string(port);
  std::string const url = "http://127.0.0.1:" + number;
  // curl reads http_proxy in lower case only; others read upper case only.
  for (auto name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"}) out[name] = url;
  for (auto name : {"no_proxy", "NO_PROXY"}) out[name] = kNoProxy;
  out["npm_config_proxy"] = url;
  out["npm_config_https_proxy"] = url;
  out["npm_config_noproxy"] = kNoProxy;
  out["PIP_PROXY"] = url;
  out["CARGO_HTTP_PROXY"] = url;
  out["NODE_USE_ENV_PROXY"] = "1";  // Node.js 22 and later: fetch and http honour the variables above
  std::string java;
  for (auto scheme : {"http", "https"})
    java += std::string("-D") + scheme + ".proxyHost=127.0.0.1 -D" + scheme + ".proxyPort=" + number + " ";
  out["JAVA_TOOL_OPTIONS"] = java + "-Dhttp.nonProxyHosts=localhost|127.*|[::1]";  // Maven and Gradle are JVMs, too
}

}  // namespace

Variables proxy_variables(std::uint16_t proxy_port) {
  Variables out;
  add_proxy(out, proxy_port);
  return out;
}

Variables read_environment(char const* const* environ) {
  Variables out;
  for (; environ != nullptr && *environ != nullptr; ++environ) {
    std::string_view const entry = *environ;
    auto const equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    out.emplace(entry.substr(0, equals), entry.substr(equals + 1));  // the first of two wins, as in getenv(3)
  }
  return out;
}

std::vector<std::string> make_environment(Variables const& host, policies::Environment const& policy, SessionVariables const& session) {
  Variables chosen;
  for (auto const& [name, value] : host)
    if (is_passed(name, value, policy)) chosen[name] = value;
  chosen.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  chosen["SALLYPORT"] = "1";
  add_proxy(chosen, session.proxy_port);
  for (auto const& [name, value] : session.trust) chosen[name] = value;
  if (!session.java_options.empty()) chosen["JAVA_TOOL_OPTIONS"] += " " + session.java_options;
  for (auto const& [name, value] : policy.set) chosen[name] = value;
  for (auto const& [name, value] : session.planted) chosen[name] = value;
  std::vector<std::string> out;
  out.reserve(chosen.size());
  for (auto const& [name, value] : chosen) out.push_back(name + "=" + value);
  return out;
}

}  // namespace sallyport::jail
