#include "tests/proxy/tls_peer.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <stdexcept>

namespace sallyport::tests {
namespace {

using proxy::CertificateRequest;
using std::chrono::system_clock;

CertificateRequest authority_request(std::string const& name) {
  auto const now = system_clock::now();
  return {name,
          now - std::chrono::hours(24 * 30),
          now + std::chrono::hours(24),
          {{NID_basic_constraints, "critical,CA:TRUE"},
           {NID_key_usage, "critical,keyCertSign,cRLSign"},
           {NID_subject_key_identifier, "hash"}}};
}

void trust(SSL_CTX* context, std::string const& roots) {
  proxy::BioPtr const bio(BIO_new_mem_buf(roots.data(), static_cast<int>(roots.size())));
  auto* const store = SSL_CTX_get_cert_store(context);
  while (auto* root = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    X509_STORE_add_cert(store, root);
    X509_free(root);
  }
  ERR_clear_error();
  X509_STORE_set_flags(store, X509_V_FLAG_X509_STRICT);
}

}  // namespace

TestAuthority::TestAuthority(std::string const& name)
    : key_(proxy::make_key().value()),
      certificate_(proxy::make_certificate(authority_request(name), key_.get(), {nullptr, key_.get()}).value()) {}

proxy::SslContextPtr TestAuthority::server(Leaf const& leaf) const {
  auto key = proxy::make_key().value();
  std::string names;
  for (auto const& name : leaf.names) names += (names.empty() ? "DNS:" : ",DNS:") + name;
  auto const now = system_clock::now();
  CertificateRequest request{leaf.names.front(), now - leaf.began_ago, now + leaf.ends_in, {}};
  request.extensions = {{NID_ext_key_usage, "serverAuth"}, {NID_subject_alt_name, names}};
  proxy::CertificateIssuer issuer{certificate_.get(), key_.get()};
  if (leaf.signer == Leaf::Signer::itself) issuer = {nullptr, key.get()};
  auto certificate = proxy::make_certificate(request, key.get(), issuer).value();
  proxy::SslContextPtr context(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_use_certificate(context.get(), certificate.get());
  if (SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) throw std::runtime_error("no server certificate");
  return context;
}

TlsPeer::TlsPeer(SSL_CTX* context, int fd) : ssl_(SSL_new(context)) {
  SSL_set_fd(ssl_.get(), fd);
  shake(SSL_accept(ssl_.get()));
}

TlsPeer::TlsPeer(int fd, std::string const& name, std::string const& roots, std::string_view alpn)
    : own_context_(SSL_CTX_new(TLS_client_method())) {
  SSL_CTX_set_verify(own_context_.get(), SSL_VERIFY_PEER, nullptr);
  trust(own_context_.get(), roots);
  ssl_.reset(SSL_new(own_context_.get()));
  SSL_set_fd(ssl_.get(), fd);
  SSL_set1_host(ssl_.get(), name.c_str());
  SSL_set_tlsext_host_name(ssl_.get(), name.c_str());
  if (!alpn.empty()) SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<unsigned char const*>(alpn.data()), static_cast<unsigned>(alpn.size()));
  shake(SSL_connect(ssl_.get()));
}

void TlsPeer::shake(int result) {
  ready_ = result == 1;
  if (!ready_) error_ = proxy::openssl_error_text();
}

bool TlsPeer::send(std::string_view bytes) {
  auto const size = static_cast<int>(bytes.size());
  return ready_ && SSL_write(ssl_.get(), bytes.data(), size) == size;
}

bool TlsPeer::fill() {
  std::array<char, 16 * 1024> block;
  int const got = ready_ ? SSL_read(ssl_.get(), block.data(), static_cast<int>(block.size())) : -1;
  ERR_clear_error();
  if (got <= 0) return false;
  buffer_.append(block.data(), static_cast<std::size_t>(got));
  return true;
}

std::string TlsPeer::receive_until(std::string_view mark) {
  while (buffer_.find(mark) == std::string::npos && fill()) {}
  auto const at = buffer_.find(mark);
  return receive(at == std::string::npos ? buffer_.size() : at + mark.size());
}

std::string TlsPeer::receive(std::size_t bytes) {
  while (buffer_.size() < bytes && fill()) {}
  auto taken = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return taken;
}

std::string TlsPeer::receive_to_end() {
  while (fill()) {}
  return std::exchange(buffer_, {});
}

}  // namespace sallyport::tests
