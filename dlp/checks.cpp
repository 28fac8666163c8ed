#include "dlp/checks.hpp"

#include "base/ascii.hpp"
#include "dlp/base_n.hpp"
#include "dlp/checksums.hpp"
#include "dlp/plausible.hpp"
#include "dlp/seed_phrase.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>

namespace sallyport::dlp {
namespace {

CheckResult look_alike_unless(bool right) { return right ? CheckResult::passed : CheckResult::look_alike; }
CheckResult rejected_unless(bool right) { return right ? CheckResult::passed : CheckResult::rejected; }

/// An access key id holds its account number in the first bits; ids of before 2019 begin with I or J and do not.
CheckResult check_aws_account(std::string_view token) {
  constexpr std::uint64_t kLargestAccount = 999'999'999'999;
  auto body = token.substr(4);
  if (is_placeholder(token)) return CheckResult::rejected;
  if (body.starts_with('I') || body.starts_with('J')) return CheckResult::none;
  std::string bytes;
  decode_base32(body, bytes);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 6 && i < bytes.size(); ++i) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  auto account = (bits & 0x7fffffffff80) >> 7;
  return account <= kLargestAccount ? CheckResult::none : CheckResult::look_alike;
}

bool is_json_object(std::string_view text) {
  return text.size() >= 7 && text.starts_with('{') && text.find('"') != std::string_view::npos &&
         text.find(':') != std::string_view::npos;
}

/// RFC 7519 section 4.1.4: seconds since 1970. A token without it does not expire.
bool has_expired(std::string_view claims) {
  constexpr std::string_view kName = "\"exp\":";
  auto const at = claims.find(kName);
  if (at == std::string_view::npos) return false;
  auto digits = claims.substr(at + kName.size());
  digits.remove_prefix(ByteSet::of(" ").run(digits));
  std::int64_t seconds = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), seconds).ec != std::errc{}) return false;
  auto const now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()).time_since_epoch().count();
  return seconds < now;  // as numbers: a hostile one has no room in finer units
}

/// RFC 7519: the header is a JSON object that names an algorithm, the claims are a JSON object. One that has expired opens
/// nothing.
CheckResult check_jwt(std::string_view token) {
  auto first = token.find('.');
  auto second = token.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return CheckResult::rejected;
  auto header = base64_bytes(token.substr(0, first));
  auto claims = base64_bytes(token.substr(first + 1, second - first - 1));
  if (!header || !claims || !is_json_object(*claims) || !is_json_object(*header)) return CheckResult::rejected;
  if (header->find("\"alg\"") == std::string::npos) return CheckResult::rejected;
  return look_alike_unless(!has_expired(*claims));
}

/// The base64 text between the lines of a PEM block, without white space, written-out line ends, and header fields.
std::string pem_body(std::string_view block) {
  auto start = block.find("-----", 5);
  auto end = block.rfind("-----END");
  if (start == std::string_view::npos || end == std::string_view::npos || end < start + 5) end = block.size();
  auto text = block.substr(start == std::string_view::npos ? block.size() : start + 5, end - start - 5);
  auto blank = text.rfind("\n\n");
  if (text.find(": ") != std::string_view::npos && blank != std::string_view::npos) text = text.substr(blank);
  std::string body;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool escape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 'r');
    if (escape)
      ++i;
    else if (kBase64.contains(text[i]))
      body += text[i];
  }
  return body;
}

/// Encrypted keys and OpenPGP packets need not parse; all others are an ASN.1 SEQUENCE or OpenSSH's own format.
CheckResult check_pem(std::string_view block) {
  std::string bytes;
  decode_base64(pem_body(block), bytes);
  if (bytes.size() < 32) return CheckResult::rejected;
  bool opaque = block.find("ENCRYPTED") != std::string_view::npos || block.find("PGP") != std::string_view::npos;
  return opaque || bytes.starts_with('\x30') || bytes.starts_with("openssh-key-v1") ? CheckResult::passed
                                                                                    : CheckResult::look_alike;
}

/// A word that documentation and tests write where a password stands: "password", "pass".
bool is_stand_in(std::string_view password) {
  constexpr std::string_view kStandIns[] = {"password", "passwd", "passwort", "pass",  "pwd",   "secret", "user",  "postgres",
                                            "root",     "admin",  "guest", "token", "test",   "mysql", "redis"};
  return std::find(std::begin(kStandIns), std::end(kStandIns), lower_case(password)) != std::end(kStandIns);
}

/// RFC 7617: user ":" password, printable.
CheckResult check_basic_auth(std::string_view token) {
  auto bytes = base64_bytes(token);
  if (!bytes) return CheckResult::rejected;
  auto colon = bytes->find(':');
  if (colon == std::string::npos || bytes->size() - colon < 5) return CheckResult::rejected;
  bool printable = std::all_of(bytes->begin(), bytes->end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  auto password = std::string_view(*bytes).substr(colon + 1);
  return rejected_unless(printable && !is_placeholder(password) && !is_stand_in(password));
}

CheckResult check_base64_json(std::string_view token) {
  auto start = token.find("eyJ");
  if (start == std::string_view::npos) return CheckResult::rejected;
  std::string bytes;
  decode_base64(token.substr(start), bytes);
  return rejected_unless(is_json_object(bytes));
}

/// A URL's password: not a variable or a word of documentation.
CheckResult check_url_password(std::string_view password) {
  constexpr std::size_t kMin = 4;  // that are not written as "%40"
  auto const escapes = static_cast<std::size_t>(std::count(password.begin(), password.end(), '%'));
  return rejected_unless(password.size() >= kMin + 3 * escapes && !is_stand_in(password) && !is_placeholder(password));
}

CheckResult check_password(std::string_view value) {
  bool digit = std::any_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  bool letter = std::any_of(value.begin(), value.end(), [](char c) { return kLetters.contains(c); });
  bool const generated = (digit && letter) || (kBase64Url.run(value) == value.size() && is_random(value));
  return rejected_unless(value.size() >= 8 && generated && !is_placeholder(value) && entropy(value) >= 2.5);
}

}  // namespace

CheckResult run_check(Check check, std::string_view token) {
  switch (check) {
    case Check::none:
      return CheckResult::none;
    case Check::crc32_base62:
      return look_alike_unless(has_crc32_base62(token));
    case Check::crc32_base36:
      return look_alike_unless(has_crc32_base36(token));
    case Check::crc32_hex:
      return look_alike_unless(has_crc32_hex(token));
    case Check::crc32_hex_little:
      return look_alike_unless(has_crc32_hex_little(token));
    case Check::sha256_base32:
      return has_sha256_base32(token) ? CheckResult::passed : CheckResult::none;
    case Check::base58check:
      return look_alike_unless(has_base58check(token));
    case Check::base58check_only:
      return rejected_unless(has_base58check(token));
    case Check::bech32:
      return look_alike_unless(has_bech32(token));
    case Check::aws_account:
      return check_aws_account(token);
    case Check::jwt:
      return check_jwt(token);
    case Check::seed_phrase:
      return rejected_unless(is_seed_phrase(token));
    case Check::pem:
      return check_pem(token);
    case Check::basic_auth:
      return check_basic_auth(token);
    case Check::base64_json:
      return check_base64_json(token);
    case Check::url_password:
      return check_url_password(token);
    case Check::password:
      return check_password(token);
    case Check::random:
      return rejected_unless(is_random(token));
    case Check::lone_random:
      return rejected_unless(is_random_alone(token));
    case Check::luhn:
      return rejected_unless(has_luhn(token));
    case Check::iban:
      return rejected_unless(has_iban_check(token));
  }
  return CheckResult::none;
}

}  // namespace sallyport::dlp
