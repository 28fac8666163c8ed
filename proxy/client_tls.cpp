#include "proxy/client_tls.hpp"

#include "proxy/tls_protocols.hpp"

#include <chrono>
#include <string_view>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kSessionContext = "sallyport";

Result<SslContextPtr> make_context() {
  SslContextPtr context(SSL_CTX_new(TLS_server_method()));
  if (!context) return openssl_error("TLS for clients");
  set_common_options(context.get());
  // One context for all names: what may be asked for is decided from the ClientHello, before there is a session to resume.
  SSL_CTX_set_session_id_context(context.get(), reinterpret_cast<unsigned char const*>(kSessionContext.data()),
                                 static_cast<unsigned>(kSessionContext.size()));
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);  // tickets hold the state
  SSL_CTX_set_alpn_select_cb(context.get(), select_protocol, nullptr);
  return context;
}

}  // namespace

Result<void> ClientTls::prepare() {
  if (leaves_) return Result<void>();
  if (!ca_) return Error{Code::unsupported, 0, "this session has no certificate authority"};
  start_openssl();
  auto context = make_context();
  if (!context) return context.error();
  auto leaves = LeafCache::make(std::move(*ca_));
  ca_.reset();
  if (!leaves) return leaves.error();
  context_ = std::move(*context);
  leaves_.emplace(std::move(*leaves));
  return Result<void>();
}

Result<SslPtr> ClientTls::accept(policies::CanonicalHost const& host) {
  std::lock_guard const lock(mutex_);
  if (auto prepared = prepare(); !prepared) return prepared.error();
  auto certificate = leaves_->certificate_for(host, std::chrono::system_clock::now());
  if (!certificate) return certificate.error();
  SslPtr ssl(SSL_new(context_.get()));
  bool const ready = ssl && SSL_use_certificate(ssl.get(), *certificate) == 1 && SSL_use_PrivateKey(ssl.get(), leaves_->key()) == 1;
  if (!ready) return openssl_error("TLS for a client");
  SSL_set_accept_state(ssl.get());
  return ssl;
}

}  // namespace sallyport::proxy
