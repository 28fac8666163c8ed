#pragma once
// Ed25519 keys and signatures (RFC 8032), in the text forms of the audit log. Values in memory; any thread.
// With libsodium: OpenSSL takes 4 ms to find its own Ed25519 the first time, a fifth of what starting a jail may take.
// Does not: read or keep files, see key_file.hpp.

#include "base/result.hpp"

#include <array>
#include <string>
#include <string_view>

namespace sallyport::audit {

/// Wiped when it goes.
class SigningKey {
 public:
  static Result<SigningKey> generate();
  /// PKCS #8 in PEM (RFC 8410 section 7). Text around the PEM block is skipped.
  static Result<SigningKey> from_pem(std::string const& pem);
  SigningKey(SigningKey&& other) noexcept;
  SigningKey(SigningKey const&) = delete;
  SigningKey& operator=(SigningKey const&) = delete;
  ~SigningKey();

  std::string to_pem() const;
  /// "ed25519:" and the 32 bytes of the public key in base64.
  std::string public_text() const;
  /// Base64 of the 64 bytes of the signature.
  std::string sign(std::string_view message) const;

 private:
  static constexpr std::size_t kSeedBytes = 32, kPublicBytes = 32;
  SigningKey() = default;

  std::array<unsigned char, kSeedBytes + kPublicBytes> secret_{};  // libsodium's form: the seed, then the public key
};

class PublicKey {
 public:
  /// The text of SigningKey::public_text().
  static Result<PublicKey> from_text(std::string_view text);

  /// `signature` in base64. False for anything that is not a signature of `message` by this key.
  bool verifies(std::string_view message, std::string_view signature) const;

 private:
  explicit PublicKey(std::array<unsigned char, 32> const& bytes) : bytes_(bytes) {}

  std::array<unsigned char, 32> bytes_;
};

/// How a key is named to people: the first 16 hexadecimal digits of the SHA-256 of its text.
std::string fingerprint(std::string_view public_text);

}  // namespace sallyport::audit
