// OpenSSL's direct SHA-256 calls, which it marks as deprecated: the first EVP_MD_fetch() of a process takes 1.5 ms, a sixth
// of what a whole `sallyport run` may take, and these take none. Each digest costs the same either way.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "audit/chain.hpp"

#include <openssl/sha.h>

#include <array>

namespace sallyport::audit {

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_CTX context;  // these calls cannot fail: they neither allocate nor look anything up
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest.data(), &context);
  std::string text;
  text.reserve(2 * digest.size());
  for (unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

}  // namespace sallyport::audit
