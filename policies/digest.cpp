// OpenSSL's direct SHA-256 calls, which it marks as deprecated: the first EVP_MD_fetch() of a process costs a tenth of a jail's start.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "policies/digest.hpp"

#include <openssl/sha.h>

#include <array>
#include <cstdint>
#include <string>

namespace sallyport::policies {

namespace {

std::string length_prefix(std::uint64_t length) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift);
  return bytes;
}

}  // namespace

std::string digest_of(std::span<std::string_view const> parts) {
  SHA256_CTX context;  // these calls cannot fail: they neither allocate nor look anything up
  SHA256_Init(&context);
  for (auto part : parts) {
    auto const length = length_prefix(part.size());
    SHA256_Update(&context, length.data(), length.size());
    SHA256_Update(&context, part.data(), part.size());
  }
  std::array<unsigned char, SHA256_DIGEST_LENGTH> bytes{};
  SHA256_Final(bytes.data(), &context);
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "sha256:";
  for (unsigned char byte : bytes) text += {kHex[byte >> 4], kHex[byte & 15]};
  return text;
}

}  // namespace sallyport::policies
