#include "audit/signature.hpp"

#include "audit/chain.hpp"

#include <sodium.h>

#include <algorithm>
#include <optional>

namespace sallyport::audit {

namespace {

constexpr std::string_view kPrefix = "ed25519:";
constexpr std::string_view kPemBegin = "-----BEGIN PRIVATE KEY-----\n";
constexpr std::string_view kPemEnd = "\n-----END PRIVATE KEY-----\n";
constexpr std::size_t kFingerprintDigits = 16;

// OneAsymmetricKey version 0 with id-Ed25519 and no attributes (RFC 8410 section 7); the seed follows.
constexpr std::array<unsigned char, 16> kPkcs8Head = {0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06,
                                                      0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20};
using Seed = std::array<unsigned char, crypto_sign_SEEDBYTES>;
using Pkcs8 = std::array<unsigned char, kPkcs8Head.size() + crypto_sign_SEEDBYTES>;

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }

std::string to_base64(unsigned char const* bytes, std::size_t size) {
  std::string text(sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes, size, sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the length has room for a final NUL
  return text;
}

/// Exactly `Size` bytes from their only base64 form.
template <std::size_t Size>
std::optional<std::array<unsigned char, Size>> from_base64(std::string_view text) {
  std::array<unsigned char, Size> bytes;
  std::size_t size = 0;
  char const* end = nullptr;
  if (sodium_base642bin(bytes.data(), Size, text.data(), text.size(), nullptr, &size, &end, sodium_base64_VARIANT_ORIGINAL) != 0)
    return std::nullopt;
  if (size != Size || end != text.data() + text.size()) return std::nullopt;
  return bytes;
}

/// The seed in the first PEM block.
std::optional<Seed> seed_in(std::string_view pem) {
  auto const begin = pem.find(kPemBegin);
  if (begin == std::string_view::npos) return std::nullopt;
  auto const body = pem.substr(begin + kPemBegin.size());
  auto pkcs8 = from_base64<std::tuple_size_v<Pkcs8>>(body.substr(0, body.find(kPemEnd)));
  if (!pkcs8 || !std::equal(kPkcs8Head.begin(), kPkcs8Head.end(), pkcs8->begin())) return std::nullopt;
  Seed seed;
  std::copy(pkcs8->begin() + kPkcs8Head.size(), pkcs8->end(), seed.begin());
  sodium_memzero(pkcs8->data(), pkcs8->size());
  return seed;
}

}  // namespace

SigningKey::SigningKey(SigningKey&& other) noexcept : secret_(other.secret_) { sodium_memzero(other.secret_.data(), other.secret_.size()); }

SigningKey::~SigningKey() { sodium_memzero(secret_.data(), secret_.size()); }

Result<SigningKey> SigningKey::generate() {
  if (sodium_init() < 0) return Error{Code::unsupported, 0, "libsodium cannot start: no random numbers"};
  SigningKey key;
  std::array<unsigned char, kPublicBytes> public_key;
  crypto_sign_keypair(public_key.data(), key.secret_.data());
  return key;
}

Result<SigningKey> SigningKey::from_pem(std::string const& pem) {
  auto seed = seed_in(pem);
  if (!seed) return Error{Code::invalid, 0, "not an Ed25519 private key in PEM"};
  SigningKey key;
  std::array<unsigned char, kPublicBytes> public_key;
  crypto_sign_seed_keypair(public_key.data(), key.secret_.data(), seed->data());
  sodium_memzero(seed->data(), seed->size());
  return key;
}

std::string SigningKey::to_pem() const {
  Pkcs8 pkcs8;
  auto const seed = std::copy(kPkcs8Head.begin(), kPkcs8Head.end(), pkcs8.begin());
  std::copy_n(secret_.begin(), kSeedBytes, seed);
  std::string pem(kPemBegin);
  (pem += to_base64(pkcs8.data(), pkcs8.size())) += kPemEnd;
  sodium_memzero(pkcs8.data(), pkcs8.size());
  return pem;
}

std::string SigningKey::public_text() const { return std::string(kPrefix) + to_base64(secret_.data() + kSeedBytes, kPublicBytes); }

std::string SigningKey::sign(std::string_view message) const {
  std::array<unsigned char, crypto_sign_BYTES> signature;
  crypto_sign_detached(signature.data(), nullptr, bytes_of(message), message.size(), secret_.data());
  return to_base64(signature.data(), signature.size());
}

Result<PublicKey> PublicKey::from_text(std::string_view text) {
  if (!text.starts_with(kPrefix)) return Error{Code::invalid, 0, "not a key: no \"ed25519:\" in front"};
  auto const bytes = from_base64<crypto_sign_PUBLICKEYBYTES>(text.substr(kPrefix.size()));
  if (!bytes) return Error{Code::invalid, 0, "not a key: not 32 bytes in base64"};
  return PublicKey(*bytes);
}

bool PublicKey::verifies(std::string_view message, std::string_view signature) const {
  auto const decoded = from_base64<crypto_sign_BYTES>(signature);
  return decoded && crypto_sign_verify_detached(decoded->data(), bytes_of(message), message.size(), bytes_.data()) == 0;
}

std::string fingerprint(std::string_view public_text) { return sha256_hex(public_text).substr(0, kFingerprintDigits); }

}  // namespace sallyport::audit
