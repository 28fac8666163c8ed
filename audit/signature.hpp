#pragma once
// Ed25519 keys and signatures (RFC 8032), in the text forms of the audit log. Values in memory; each object on one thread.
// Does not: read or keep files, see key_file.hpp.

#include "base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;  // OpenSSL's, kept out of this header

namespace sallyport::audit {

struct FreeKey {
  void operator()(evp_pkey_st* key) const;
};
using KeyHandle = std::unique_ptr<evp_pkey_st, FreeKey>;

class SigningKey {
 public:
  static Result<SigningKey> generate();
  /// PKCS #8 in PEM (RFC 8410 section 7). Text around the PEM block is skipped. Takes about 1 ms the first time.
  static Result<SigningKey> from_pem(std::string const& pem);

  Result<std::string> to_pem() const;
  /// "ed25519:" and the 32 bytes of the public key in base64.
  Result<std::string> public_text() const;
  /// Base64 of the 64 bytes of the signature.
  Result<std::string> sign(std::string_view message) const;

 private:
  explicit SigningKey(KeyHandle key) : key_(std::move(key)) {}

  KeyHandle key_;
};

class PublicKey {
 public:
  /// The text of SigningKey::public_text().
  static Result<PublicKey> from_text(std::string_view text);

  /// `signature` in base64. False for anything that is not a signature of `message` by this key.
  bool verifies(std::string_view message, std::string const& signature) const;

 private:
  explicit PublicKey(KeyHandle key) : key_(std::move(key)) {}

  KeyHandle key_;
};

/// How a key is named to people: the first 16 hexadecimal digits of the SHA-256 of its text.
std::string fingerprint(std::string_view public_text);

}  // namespace sallyport::audit
