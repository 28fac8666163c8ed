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
  std::string text;
  char block[4096];
  while (text.size() <= limits::kMaxCaBundleBytes && (file.read(block, sizeof block) || file.gcount() > 0))
    text.append(block, static_cast<std::size_t>(file.gcount()));
  if (file.bad() || text.empty()) return Error{Code::invalid, 0, "--ca-bundle: '" + path + "' cannot be read"};
  if (text.size() > limits::kMaxCaBundleBytes) return Error{Code::limit, 0, "--ca-bundle: '" + path + "' is too large"};
  if (text.find(kCertificate) == std::string::npos)
    return Error{Code::invalid, 0, "--ca-bundle: '" + path + "' holds no certificate in PEM form"};
  return text + "\n";
}

Result<void> write_file(std::string const& path, std::string const& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Error{Code::invalid, 0, "--ca-out: '" + path + "' cannot be written"};
  return {};
}

}  // namespace

Result<SessionTls> prepare_tls(policies::Policy const& policy, std::vector<std::string> const& ca_bundles, MakeAuthority when) {
  SessionTls tls;
  for (auto const& path : ca_bundles) {
    auto bundle = read_bundle(path);
    if (!bundle) return bundle.error();
    tls.ca_bundle += *bundle;
  }
  if (when == MakeAuthority::if_needed && !policies::opens_tls(policy)) return tls;
  auto ca = proxy::make_session_ca(std::chrono::system_clock::now());
  if (!ca) return ca.error();
  tls.ca.emplace(std::move(*ca));
  return tls;
}

Result<void> write_certificate(SessionTls const& tls, std::string const& path) {
  if (path.empty()) return {};
  if (!tls.ca) return Error{Code::invalid, 0, "--ca-out: no rule of the policy inspects TLS, so there is no certificate"};
  return write_file(path, tls.ca->certificate);
}

Result<void> hand_out_certificate(SessionTls const& tls, std::string const& path) {
  if (path.empty() && tls.ca)
    return Error{Code::invalid, 0, "the policy inspects TLS, and the container would not trust what it meets: name a file with --ca-out "
                                   "(or the annotation io.sallyport.ca-out) and let the container trust it, or use rules with inspect: sni"};
  if (tls.ca || path.empty()) return write_certificate(tls, path);
  return write_file(path, "");
}

}  // namespace sallyport::cli
