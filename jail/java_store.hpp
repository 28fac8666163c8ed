#pragma once
// Adds a certificate to a Java keystore of the old kind (JKS), in which Debian and many JDKs keep their trusted roots. Pure; any
// thread. Does not read PKCS#12 stores. Source: the format as sun.security.provider.JavaKeyStore writes it: a magic number, a
// version, a count, the entries, and SHA-1 over a salt and all of that.

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace sallyport::jail {

/// Whether these bytes begin like a JKS file.
bool is_java_store(std::string_view bytes);

/// A store with one entry more: `head`, then `length` bytes of the old store from `offset` on, then `tail`.
struct GrownStore {
  std::string head;
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string tail;
};

/// `store` and one more trusted certificate, for the password `changeit` that such stores have. `certificate` is PEM; `alias` is
/// ASCII.
Result<GrownStore> with_certificate(std::string_view store, std::string_view certificate, std::string_view alias);

/// A new store of every certificate of `bundle`, a text of PEM certificates; those that cannot be read are left out. For hosts whose JVMs keep
/// their roots in the other format: every JVM reads this one when it is told to.
std::string java_store_of(std::string_view bundle);

/// The bytes (DER) of the first certificate of a PEM text.
Result<std::string> der_of(std::string_view pem);

}  // namespace sallyport::jail
