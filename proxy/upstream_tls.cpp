#include "proxy/upstream_tls.hpp"

#include "base/limits.hpp"
#include "proxy/root_lookup.hpp"

#include <fcntl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr std::array kRootPlaces = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Gentoo
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/ssl/cert.pem",                                  // Alpine
};
constexpr std::size_t kSessionsPerServer = 4;

std::string read_all(UniqueFd const& fd) {
  std::string text;
  std::array<char, 64 * 1024> block;
  for (ssize_t got = 0; text.size() < limits::kMaxCaBundleBytes;) {
    got = ::pread(fd.get(), block.data(), block.size(), static_cast<off_t>(text.size()));
    if (got <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return text;
}

void free_name(void*, void* name, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<std::string*>(name); }

bool offer_protocols(SSL* ssl, std::string_view protocols) {
  auto const* const bytes = reinterpret_cast<unsigned char const*>(protocols.data());
  return SSL_set_alpn_protos(ssl, bytes, static_cast<unsigned>(protocols.size())) == 0;
}

/// Where a connection keeps the name its sessions are filed under.
int name_slot() {
  static int const slot = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, free_name);
  return slot;
}

bool expect_name(SSL* ssl, policies::CanonicalHost const& host) {
  if (host.is_address()) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.address()->to_string().c_str()) == 1;
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(ssl, host.str().c_str()) == 1 && SSL_set_tlsext_host_name(ssl, host.str().c_str()) == 1;
}

std::string_view reason_of(long verify_result) {
  switch (verify_result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return reason::kUpstreamExpired;
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return reason::kUpstreamNotYetValid;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return reason::kUpstreamSelfSigned;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return reason::kUpstreamWrongName;
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
      return reason::kUpstreamUntrusted;
    default:
      return reason::kUpstreamCertInvalid;
  }
}

}  // namespace

std::optional<UniqueFd> open_system_roots() {
  for (auto const* place : kRootPlaces) {
    if (auto fd = UniqueFd::adopt(::open(place, O_RDONLY | O_CLOEXEC), place)) return std::move(*fd);
  }
  return std::nullopt;
}

Result<void> UpstreamTls::prepare() {
  if (context_) return Result<void>();
  start_openssl();
  SslContextPtr context(SSL_CTX_new(TLS_client_method()));
  if (!context) return openssl_error("TLS for servers");
  set_common_options(context.get());
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context.get(), keep_session);
  SSL_CTX_set_app_data(context.get(), this);
  auto* const store = SSL_CTX_get_cert_store(context.get());
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);  // the operator may name an intermediate
  if (sources_.system_roots) roots_.add(read_all(*sources_.system_roots));
  roots_.add(sources_.ca_bundle);
  sources_ = {};
  if (!look_up_in(store, roots_)) return openssl_error("TLS for servers");
  context_ = std::move(context);
  return Result<void>();
}

Result<SslPtr> UpstreamTls::connect(policies::CanonicalHost const& host, std::uint16_t port, ServerProtocols offer) {
  if (auto prepared = prepare(); !prepared) return prepared.error();
  SslPtr ssl(SSL_new(context_.get()));
  if (!ssl || !expect_name(ssl.get(), host) || !offer_protocols(ssl.get(), protocols_for_servers(offer))) return openssl_error("TLS to a server");
  auto name = std::make_unique<std::string>(host.str() + ':' + std::to_string(port));
  if (auto const session = take_session(*name)) SSL_set_session(ssl.get(), session.get());
  if (SSL_set_ex_data(ssl.get(), name_slot(), name.get()) != 1) return openssl_error("TLS to a server");
  static_cast<void>(name.release());  // free_name() has it
  SSL_set_connect_state(ssl.get());
  return ssl;
}

/// OpenSSL's callback: a session that was verified is there. A copy is kept: OpenSSL makes its own unfit for use when the connection
/// ends without a close_notify of ours.
int UpstreamTls::keep_session(SSL* ssl, SSL_SESSION* session) {
  auto* const self = static_cast<UpstreamTls*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  auto const* name = static_cast<std::string const*>(SSL_get_ex_data(ssl, name_slot()));
  if (name == nullptr || SSL_get_verify_result(ssl) != X509_V_OK) return 0;
  if (self->sessions_.size() >= limits::kMaxTlsSessions / kSessionsPerServer) self->sessions_.clear();
  auto& kept = self->sessions_[*name];
  if (kept.size() == kSessionsPerServer) kept.erase(kept.begin());
  if (SslSessionPtr copy{SSL_SESSION_dup(session)}) kept.push_back(std::move(copy));
  return 0;
}

/// TLS 1.3 wants each used once (RFC 8446 appendix C.4); one of TLS 1.2 stays.
SslSessionPtr UpstreamTls::take_session(std::string const& server) {
  auto const known = sessions_.find(server);
  if (known == sessions_.end() || known->second.empty()) return nullptr;
  auto& newest = known->second.back();
  if (SSL_SESSION_get_protocol_version(newest.get()) != TLS1_3_VERSION) {
    SSL_SESSION_up_ref(newest.get());
    return SslSessionPtr(newest.get());
  }
  auto session = std::move(newest);
  known->second.pop_back();
  return session;
}

Refusal upstream_tls_refusal(TlsLayer const& layer, policies::CanonicalHost const& host, Error const& error) {
  auto const result = SSL_get_verify_result(layer.ssl());
  if (error.code == Code::limit) return refusal(504, reason::kTimeout, error.what);
  if (result == X509_V_OK) {
    return refusal(502, reason::kUpstreamTlsFailed, "the TLS handshake with " + host.str() + " failed: " + layer.failure().text);
  }
  return refusal(502, reason_of(result),
                 "the certificate of " + host.str() + " was not accepted: " + X509_verify_cert_error_string(result));
}

}  // namespace sallyport::proxy
