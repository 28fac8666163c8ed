#include "policies/digest.hpp"

#include "base/check.hpp"

#include <openssl/evp.h>
#include <array>
#include <cstdint>
#include <memory>

namespace sallyport::policies {

namespace {

std::string length_prefix(std::uint64_t length) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift);
  return bytes;
}

}  // namespace

std::string digest_of(std::span<std::string_view const> parts) {
  std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free);
  check(context && ::EVP_DigestInit_ex(context.get(), ::EVP_sha256(), nullptr) == 1, "SHA-256 is available");
  for (auto part : parts) {
    auto const length = length_prefix(part.size());
    bool const taken = ::EVP_DigestUpdate(context.get(), length.data(), length.size()) == 1 &&
                       ::EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
    check(taken, "SHA-256 takes bytes");
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  check(::EVP_DigestFinal_ex(context.get(), bytes.data(), &size) == 1, "SHA-256 ends");
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "sha256:";
  for (unsigned i = 0; i < size; ++i) text += {kHex[bytes[i] >> 4], kHex[bytes[i] & 15]};
  return text;
}

}  // namespace sallyport::policies
