#include "dlp/example.hpp"

#include "dlp/base_n.hpp"
#include "dlp/checksums.hpp"
#include "dlp/digest.hpp"
#include "dlp/seed_phrase.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sallyport::dlp {
namespace {

struct NamedAlphabet {
  std::string_view name;
  std::string_view digits;
};

constexpr NamedAlphabet kAlphabets[] = {
    {"dig", "0123456789"},
    {"hex", "0123456789abcdef"},
    {"HEX", "0123456789ABCDEF"},
    {"let", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
    {"l36", "0123456789abcdefghijklmnopqrstuvwxyz"},
    {"U36", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    {"b32", "abcdefghijklmnopqrstuvwxyz234567"},
    {"B32", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"},
    {"b58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
    {"b62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
    {"b64", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"},
    {"b64u", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"},
};

/// What a maker of a field may use: the text so far, where the last field began, the count, and randomness.
struct Field {
  std::string_view before;
  std::string_view last;
  std::size_t count = 1;
  ExampleRandom& random;
};

std::string little_endian_hex(std::uint32_t value) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text;
  for (unsigned byte = 0; byte < 4; ++byte) {
    text += kHexDigits[value >> (8 * byte + 4) & 15];
    text += kHexDigits[value >> (8 * byte) & 15];
  }
  return text;
}

std::string big_endian_upper_hex(std::uint32_t value) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kHexDigits[value >> shift & 15];
  return text;
}

std::string make_crc62(Field const& field) { return to_base(crc32(field.last), 62, 6); }
std::string make_crc36(Field const& field) { return to_base(crc32(field.before), 36, 7); }
std::string make_crchex(Field const& field) { return big_endian_upper_hex(crc32(field.before)); }
std::string make_crcle(Field const& field) {
  return little_endian_hex(crc32(field.before.substr(0, field.before.size() - 1)));  // without the last "_"
}

std::string make_seed(Field const& field) { return to_seed_phrase(field.random.bytes(16)); }

std::string make_uuid(Field const& field) {
  auto hex = [&](std::size_t length) { return field.random.text("0123456789abcdef", length); };
  return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
}

/// The part behind AKIA of a new access key id, with an account number below 10^12.
std::string make_aws(Field const& field) {
  std::uint64_t account = field.random.next() % 1'000'000'000'000;
  std::uint64_t bits = (account << 7 | 0x800000000000) & 0xffffffffff80;
  std::string bytes;
  for (int shift = 40; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift & 0xff);
  return to_base32(bytes + field.random.bytes(4)).substr(0, 16);
}

std::string make_jwt(Field const& field) {
  auto subject = field.random.text("0123456789abcdef", 16);
  return to_base64_url(R"({"alg":"HS256","typ":"JWT"})") + "." +
         to_base64_url(R"({"sub":")" + subject + R"(","iat":1760000000})") + "." + to_base64_url(field.random.bytes(32));
}

std::string make_pem(Field const& field) {
  auto body = to_base64(std::string("\x30\x82\x01\x55", 4) + field.random.bytes(341));
  std::string text = "-----BEGIN PRIVATE KEY-----\n";
  for (std::size_t at = 0; at < body.size(); at += 64) text += body.substr(at, 64) + "\n";
  return text + "-----END PRIVATE KEY-----";
}

std::string make_basic(Field const& field) { return to_base64("build:" + field.random.text(kAlphabets[9].digits, 16)); }

std::string make_base64_json(Field const& field) {
  constexpr std::string_view kOpen = R"({"o":")", kClose = R"("})";
  auto inner = field.count * 3 / 4 / 3 * 3 + 3 - (kOpen.size() + kClose.size()) % 3;
  return to_base64(std::string(kOpen) + field.random.text(kAlphabets[9].digits, inner) + std::string(kClose));
}

std::string make_age(Field const& field) {
  auto digits = field.random.text("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 52);
  auto text = "age-secret-key-1" + digits + bech32_checksum("age-secret-key-", digits);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; });
  return text;
}

std::string with_base58check(std::string body) {
  auto once = sha256(body);
  // SAFETY: digests are read as characters.
  auto twice = sha256({reinterpret_cast<char const*>(once.data()), once.size()});
  body.append(reinterpret_cast<char const*>(twice.data()), 4);
  return to_base58(body);
}

std::string make_xprv(Field const& field) {
  return with_base58check(std::string("\x04\x88\xad\xe4", 4) + field.random.bytes(41) + '\0' + field.random.bytes(32));
}

std::string make_wif(Field const& field) { return with_base58check('\x80' + field.random.bytes(32) + '\x01'); }

/// Fifteen digits that begin with 4, and the one that makes Luhn's sum right.
std::string make_card(Field const& field) {
  auto digits = "4" + field.random.text("0123456789", 14);
  for (char last = '0'; last <= '9'; ++last) {
    if (has_luhn(digits + last)) return digits + last;
  }
  return digits;
}

std::string make_iban(Field const& field) {
  auto account = field.random.text("0123456789", 18);
  for (int check = 2; check <= 98; ++check) {
    auto iban = "DE" + std::string(check < 10 ? "0" : "") + std::to_string(check) + account;
    if (has_iban_check(iban)) return iban;
  }
  return account;
}

struct NamedMaker {
  std::string_view name;
  std::string (*make)(Field const&);
};

constexpr NamedMaker kMakers[] = {
    {"crc62", make_crc62},
    {"crc36", make_crc36},
    {"crchex", make_crchex},
    {"crcle", make_crcle},
    {"uuid", make_uuid},
    {"aws", make_aws},
    {"jwt", make_jwt},
    {"seed", make_seed},
    {"pem", make_pem},
    {"basic", make_basic},
    {"b64json", make_base64_json},
    {"age", make_age},
    {"xprv", make_xprv},
    {"wif", make_wif},
    {"card", make_card},
    {"iban", make_iban},
};

Result<std::string> make_field(std::string_view name, Field const& field) {
  for (auto const& alphabet : kAlphabets) {
    if (alphabet.name == name) return field.random.text(alphabet.digits, field.count);
  }
  for (auto const& maker : kMakers) {
    if (maker.name == name) return maker.make(field);
  }
  return Error{Code::invalid, 0, "example: no field is called \"" + std::string(name) + "\""};
}

}  // namespace

std::uint64_t ExampleRandom::next() {
  state_ += 0x9e3779b97f4a7c15;
  auto mixed = (state_ ^ state_ >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

std::string ExampleRandom::text(std::string_view alphabet, std::size_t length) {
  std::string text;
  while (text.size() < length) text += alphabet[below(alphabet.size())];
  return text;
}

std::string ExampleRandom::bytes(std::size_t length) {
  std::string bytes;
  while (bytes.size() < length) bytes += static_cast<char>(next() & 0xff);
  return bytes;
}

Result<std::string> expand_example(std::string_view text, std::uint64_t seed) {
  ExampleRandom random(seed);
  std::string expanded;
  std::size_t last = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto close = text[at] == '<' ? text.find('>', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      expanded += text[at];
      continue;
    }
    auto name = text.substr(at + 1, close - at - 1);
    std::size_t count = 1;
    if (auto star = name.find('*'); star != std::string_view::npos) {
      auto digits = name.substr(star + 1);
      auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
      if (error != std::errc{} || count > 10000)
        return Error{Code::invalid, 0, "example: bad count in " + std::string(name)};
      name = name.substr(0, star);
    }
    auto field = make_field(name, Field{expanded, std::string_view(expanded).substr(last), count, random});
    if (!field) return field.error();
    last = expanded.size();
    expanded += *field;
    at = close;
  }
  return expanded;
}

}  // namespace sallyport::dlp
