#include "dlp/digest.hpp"

#include <openssl/sha.h>

#include <algorithm>

namespace sallyport::dlp {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest;
  // SAFETY: OpenSSL takes bytes as unsigned char; the length goes with them.
  ::SHA256(reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

ValueDigest value_digest(std::string_view salt, std::string_view value) {
  std::string salted(salt);
  salted += value;
  auto whole = sha256(salted);
  std::fill(salted.begin(), salted.end(), '\0');
  ValueDigest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

std::string to_hex(ValueDigest const& digest) {
  constexpr std::string_view kDigit = "0123456789abcdef";
  std::string text;
  for (auto byte : digest) {
    text += kDigit[byte >> 4];
    text += kDigit[byte & 15];
  }
  return text;
}

}  // namespace sallyport::dlp
