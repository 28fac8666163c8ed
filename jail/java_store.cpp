// OpenSSL's direct SHA-1 calls, which it marks as deprecated: the first EVP_MD_fetch() of a process costs a tenth of a jail's start.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "jail/java_store.hpp"

#include <openssl/sha.h>

#include <array>
#include <cstdint>

namespace sallyport::jail {
namespace {

constexpr std::string_view kMagicAndVersion("\xfe\xed\xfe\xed\x00\x00\x00\x02", 8);
constexpr std::size_t kCountAt = 8;
constexpr std::size_t kEntriesAt = 12;
constexpr std::uint32_t kTrustedCertificate = 2;
constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

void append_number(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift);
}

/// As java.io.DataOutput.writeUTF, of ASCII.
void append_text(std::string& out, std::string_view text) {
  append_number(out, text.size(), 2);
  out += text;
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string entry_of(std::string_view der, std::string_view alias) {
  std::string entry;
  append_number(entry, kTrustedCertificate, 4);
  append_text(entry, alias);
  append_number(entry, 0, 8);  // when it was made: nobody asks
  append_text(entry, "X.509");
  append_number(entry, der.size(), 4);
  entry += der;
  return entry;
}

std::string digest_of(std::string_view head, std::string_view rest) {
  constexpr std::string_view kPassword = "changeit";
  constexpr std::string_view kSalt = "Mighty Aphrodite";
  std::string wide;
  for (char c : kPassword) wide += {'\0', c};
  SHA_CTX context;
  SHA1_Init(&context);
  for (std::string_view part : {std::string_view(wide), kSalt, head, rest}) SHA1_Update(&context, part.data(), part.size());
  std::array<unsigned char, SHA_DIGEST_LENGTH> bytes{};
  SHA1_Final(bytes.data(), &context);
  return std::string(bytes.begin(), bytes.end());
}

/// The value of each base-64 digit; -1 for what is none.
constexpr std::array<signed char, 256> kBase64Values = [] {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<signed char, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i) values[static_cast<unsigned char>(kDigits[i])] = static_cast<signed char>(i);
  return values;
}();

}  // namespace

bool is_java_store(std::string_view bytes) {
  return bytes.size() >= kEntriesAt + SHA_DIGEST_LENGTH && bytes.starts_with(kMagicAndVersion);
}

Result<GrownStore> with_certificate(std::string_view store, std::string_view certificate, std::string_view alias) {
  if (!is_java_store(store)) return Error{Code::unsupported, 0, "not a Java keystore of the kind JKS"};
  auto der = der_of(certificate);
  if (!der) return der.error();
  GrownStore out;
  out.head = kMagicAndVersion;
  append_number(out.head, number_at(store, kCountAt) + 1, 4);
  out.head += entry_of(*der, alias);
  out.offset = kEntriesAt;
  out.length = store.size() - kEntriesAt - SHA_DIGEST_LENGTH;
  out.tail = digest_of(out.head, store.substr(out.offset, out.length));
  return out;
}

std::string java_store_of(std::string_view bundle) {
  std::string entries;
  entries.reserve(bundle.size());
  std::uint32_t count = 0;
  for (std::size_t begin = bundle.find(kBegin); begin != std::string_view::npos; begin = bundle.find(kBegin, begin + kBegin.size())) {
    auto const der = der_of(bundle.substr(begin));
    if (!der) continue;
    entries += entry_of(*der, "root-" + std::to_string(count));
    ++count;
  }
  std::string store(kMagicAndVersion);
  append_number(store, count, 4);
  store += entries;
  return store + digest_of(store, {});
}

Result<std::string> der_of(std::string_view pem) {
  auto const begin = pem.find(kBegin);
  auto const end = pem.find(kEnd);
  Error const bad{Code::invalid, 0, "not a certificate in PEM form"};
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return bad;
  std::string der;
  der.reserve(end - begin);
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : pem.substr(begin + kBegin.size(), end - begin - kBegin.size())) {
    if (c == '\n' || c == '\r' || c == '=') continue;
    int const value = kBase64Values[static_cast<unsigned char>(c)];
    if (value < 0) return bad;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    der += static_cast<char>(bits >> count);
  }
  if (der.empty()) return bad;
  return der;
}

}  // namespace sallyport::jail
