#include "audit/signature.hpp"

#include "audit/chain.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <cstddef>
#include <optional>

namespace sallyport::audit {

namespace {

constexpr std::string_view kPrefix = "ed25519:";
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSignatureBytes = 64;
constexpr std::size_t kFingerprintDigits = 16;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;

/// Reading OpenSSL's configuration file takes longer than everything else here.
void use_openssl_without_configuration() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

Error failed(std::string what) { return Error{Code::unsupported, 0, "OpenSSL: " + std::move(what)}; }

std::string to_base64(unsigned char const* bytes, std::size_t size) {
  std::string text(4 * ((size + 2) / 3), '\0');
  // SAFETY: EVP_EncodeBlock writes exactly these characters and a final NUL, for which std::string has room.
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
  return text;
}

/// Exactly `Size` bytes from their only base64 form.
template <std::size_t Size>
std::optional<std::array<unsigned char, Size>> from_base64(std::string_view text) {
  constexpr std::size_t kGroups = (Size + 2) / 3;
  std::array<unsigned char, 3 * kGroups> decoded;
  if (text.size() != 4 * kGroups) return std::nullopt;
  auto const* bytes = reinterpret_cast<unsigned char const*>(text.data());
  if (EVP_DecodeBlock(decoded.data(), bytes, static_cast<int>(text.size())) < 0) return std::nullopt;
  if (to_base64(decoded.data(), Size) != text) return std::nullopt;
  std::array<unsigned char, Size> exact;
  std::copy_n(decoded.begin(), Size, exact.begin());
  return exact;
}

}  // namespace

void FreeKey::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

Result<SigningKey> SigningKey::generate() {
  use_openssl_without_configuration();
  KeyHandle key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key) return failed("cannot make an Ed25519 key");
  return SigningKey(std::move(key));
}

Result<SigningKey> SigningKey::from_pem(std::string const& pem) {
  use_openssl_without_configuration();
  Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  KeyHandle key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!key || EVP_PKEY_is_a(key.get(), "ED25519") != 1) return Error{Code::invalid, 0, "not an Ed25519 private key in PEM"};
  return SigningKey(std::move(key));
}

Result<std::string> SigningKey::to_pem() const {
  Bio bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return failed("cannot write a key as PEM");
  }
  char* text = nullptr;
  auto const size = BIO_get_mem_data(bio.get(), &text);
  return std::string(text, static_cast<std::size_t>(size));
}

Result<std::string> SigningKey::public_text() const {
  std::array<unsigned char, kKeyBytes> bytes;
  std::size_t size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(key_.get(), bytes.data(), &size) != 1) return failed("key without a public half");
  return std::string(kPrefix) + to_base64(bytes.data(), size);
}

Result<std::string> SigningKey::sign(std::string_view message) const {
  std::array<unsigned char, kSignatureBytes> signature;
  std::size_t size = signature.size();
  auto const* bytes = reinterpret_cast<unsigned char const*>(message.data());
  Context context(EVP_MD_CTX_new());
  if (!context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, bytes, message.size()) != 1) {
    return failed("cannot sign");
  }
  return to_base64(signature.data(), size);
}

Result<PublicKey> PublicKey::from_text(std::string_view text) {
  use_openssl_without_configuration();
  if (!text.starts_with(kPrefix)) return Error{Code::invalid, 0, "not a key: no \"ed25519:\" in front"};
  auto const bytes = from_base64<kKeyBytes>(text.substr(kPrefix.size()));
  if (!bytes) return Error{Code::invalid, 0, "not a key: not 32 bytes in base64"};
  KeyHandle key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes->data(), bytes->size()));
  if (!key) return failed("does not take this Ed25519 key");
  return PublicKey(std::move(key));
}

bool PublicKey::verifies(std::string_view message, std::string const& signature) const {
  auto const decoded = from_base64<kSignatureBytes>(signature);
  Context context(EVP_MD_CTX_new());
  if (!decoded || !context) return false;
  auto const* bytes = reinterpret_cast<unsigned char const*>(message.data());
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), decoded->data(), decoded->size(), bytes, message.size()) == 1;
}

std::string fingerprint(std::string_view public_text) { return sha256_hex(public_text).substr(0, kFingerprintDigits); }

}  // namespace sallyport::audit
