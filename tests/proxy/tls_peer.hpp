#pragma once
// The other side of TLS in tests: an authority that signs good and bad server certificates, and a blocking connection.

#include "proxy/certificate.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::tests {

class TestAuthority {
 public:
  explicit TestAuthority(std::string const& name = "Test authority");
  std::string pem() const { return proxy::to_pem(certificate_.get()); }

  struct Leaf {
    std::vector<std::string> names;
    std::chrono::hours ends_in{24};
    std::chrono::hours began_ago{24};
    enum class Signer { authority, itself } signer = Signer::authority;
  };
  /// What a server needs to show such a certificate.
  proxy::SslContextPtr server(Leaf const& leaf) const;

 private:
  proxy::KeyPtr key_;
  proxy::X509Ptr certificate_;
};

/// Blocking TLS over a socket that it does not own. Nothing is read or written when the handshake failed.
class TlsPeer {
 public:
  /// The server's side.
  TlsPeer(SSL_CTX* context, int fd);
  /// The client's side: asks for `name`, trusts only `roots` (PEM), and is as strict as X509_V_FLAG_X509_STRICT.
  TlsPeer(int fd, std::string const& name, std::string const& roots, std::string_view alpn = {});

  bool ready() const { return ready_; }
  std::string const& error() const { return error_; }
  SSL* ssl() const { return ssl_.get(); }
  bool send(std::string_view bytes);
  /// Through `mark`, or what comes before the end.
  std::string receive_until(std::string_view mark);
  std::string receive(std::size_t bytes);
  std::string receive_to_end();
  void close_notify() { SSL_shutdown(ssl_.get()); }

 private:
  bool fill();
  void shake(int result);

  proxy::SslContextPtr own_context_;
  proxy::SslPtr ssl_;
  bool ready_ = false;
  std::string error_;
  std::string buffer_;
};

}  // namespace sallyport::tests
