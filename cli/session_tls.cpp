#include "cli/session_tls.hpp"

#include "base/limits.hpp"
#include "policies/rule_checks.hpp"

#include <chrono>
#include <fstream>

namespace sallyport::cli {
namespace {

constexpr char kCertificate[] = "-----BEGIN CERTIFICATE-----";

Result<std::string> read_bundle(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limits::kMaxCaBundleBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || file.gcount() <= 0) return Error{Code::invalid, 0, "--ca-bundle: '" + path + "' cannot be read"};
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > limits::kMaxCaBundleBytes) return Error{Code::limit, 0, "--ca-bundle: '" + path + "' is too large"};
  if (text.find(kCertificate) == std::string::npos)
    return Error{Code::invalid, 0, "--ca-bundle: '" + path + "' holds no certificate in PEM form"};
  return text + "\n";
}

}  // namespace

Result<SessionTls> prepare_tls(policies::Policy const& policy, std::vector<std::string> const& ca_bundles) {
  SessionTls tls;
  for (auto const& path : ca_bundles) {
    auto bundle = read_bundle(path);
    if (!bundle) return bundle.error();
    tls.ca_bundle += *bundle;
  }
  if (!policies::opens_tls(policy)) return tls;
  auto ca = proxy::make_session_ca(std::chrono::system_clock::now());
  if (!ca) return ca.error();
  tls.ca.emplace(std::move(*ca));
  return tls;
}

}  // namespace sallyport::cli
