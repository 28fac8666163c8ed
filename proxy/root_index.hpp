#pragma once
// Trusted roots by subject. A bundle has some 150 certificates, and a session meets a handful: each is parsed when a chain asks for it.
// No I/O. Thread: its worker's. Sources: RFC 7468 (PEM), RFC 5280 section 4.1 (where the subject stands).

#include "proxy/openssl_ptr.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sallyport::proxy {

class RootIndex {
 public:
  /// Adds the certificates of a PEM bundle; text between them and other blocks are skipped. Returns how many it took.
  std::size_t add(std::string_view pem);

  /// Those with this subject, byte for byte as in the certificate (DER), parsed.
  std::vector<X509Ptr> with_subject(std::string_view subject_der) const;
  /// All of them the first time, and nothing later: for an issuer whose name is written another way than its subject.
  std::vector<X509Ptr> take_all();
  std::size_t size() const { return by_subject_.size(); }

 private:
  std::unordered_multimap<std::string, std::string> by_subject_;  // both DER
  bool all_taken_ = false;
};

/// The subject of a DER certificate, as it stands there; empty when it cannot be found.
std::string_view subject_of(std::string_view certificate_der);

}  // namespace sallyport::proxy
