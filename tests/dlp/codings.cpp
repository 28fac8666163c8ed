#include "codings.hpp"

#include "dlp/base_n.hpp"
#include "dlp/rule_set.hpp"
#include "dlp/utf8.hpp"

#include <brotli/encode.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

namespace sallyport::dlp::test {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string deflated(std::string_view bytes, int window) {
  z_stream stream{};
  EXPECT_EQ(Z_OK, ::deflateInit2(&stream, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY));
  std::string out(::deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(Z_STREAM_END, ::deflate(&stream, Z_FINISH));
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string each(std::string_view text, std::string (*write)(unsigned char)) {
  std::string out;
  for (char c : text) out += write(static_cast<unsigned char>(c));
  return out;
}

std::string hex2(unsigned char byte) { return {kHexDigits[byte >> 4], kHexDigits[byte & 15]}; }

std::string percent(std::string_view text) {
  return each(text, [](unsigned char c) { return "%" + hex2(c); });
}

std::string mime(std::string_view text) {
  auto digits = to_base64("Some text in front of it, so that there are two lines or more. " + std::string(text));
  std::string out;
  for (std::size_t at = 0; at < digits.size(); at += 76) out += digits.substr(at, 76) + "\r\n";
  return out;
}

std::string wide(std::string_view text, std::size_t zero) {
  std::string out;
  for (char c : text) {
    out += zero == 0 ? '\0' : c;
    out += zero == 0 ? c : '\0';
  }
  return out;
}

std::string zero_width(std::string_view text) {
  std::string out;
  for (char c : text) out += std::string(1, c) + "\xe2\x80\x8b";
  return out;
}

std::string full_width(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool visible = c > ' ' && c < 0x7f;
    append_utf8(visible ? static_cast<char32_t>(0xff01 + c - '!') : static_cast<char32_t>(static_cast<unsigned char>(c)),
                out);
  }
  return out;
}

/// Cyrillic for every letter that has a Cyrillic twin.
std::string homoglyphs(std::string_view text) {
  constexpr std::string_view kLatin = "aceopxysijABCEHKMOPTX";
  constexpr char32_t kCyrillic[] = {0x430, 0x441, 0x435, 0x43e, 0x440, 0x445, 0x443, 0x455, 0x456, 0x458, 0x410,
                                    0x412, 0x421, 0x415, 0x41d, 0x41a, 0x41c, 0x41e, 0x420, 0x422, 0x425};
  std::string out;
  for (char c : text) {
    auto at = kLatin.find(c);
    append_utf8(at == std::string_view::npos ? static_cast<char32_t>(static_cast<unsigned char>(c)) : kCyrillic[at], out);
  }
  return out;
}

std::string base85(std::string_view text) {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    auto group = std::string(text.substr(at, 4));
    auto missing = 4 - group.size();
    group.append(missing, '\0');
    std::uint32_t value = 0;
    for (char c : group) value = value << 8 | static_cast<unsigned char>(c);
    std::string digits;
    for (int i = 0; i < 5; ++i, value /= 85) digits += kDigits[value % 85];
    out += std::string(digits.rbegin(), digits.rend()).substr(0, 5 - missing);
  }
  return out;
}

std::string ascii85(std::string_view text) {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  std::string out = "<~";
  for (char c : base85(text)) out += static_cast<char>('!' + kDigits.find(c));
  return out + "~>";
}

char digit(unsigned octal) { return static_cast<char>('0' + (octal & 7)); }

std::string gzip_base64(std::string_view text) { return to_base64(compressed(Coding::gzip, text)); }

}  // namespace

std::string to_hex_text(std::string_view bytes, std::string_view separator) {
  std::string out;
  for (char c : bytes) out += (out.empty() ? "" : std::string(separator)) + hex2(static_cast<unsigned char>(c));
  return out;
}

std::string compressed(Coding coding, std::string_view bytes) {
  std::string out(bytes.size() * 2 + 1024, '\0');
  switch (coding) {
    case Coding::gzip:
      return deflated(bytes, 15 + 16);
    case Coding::zlib:
      return deflated(bytes, 15);
    case Coding::deflate:
      return deflated(bytes, -15);
    case Coding::zstd:
      out.resize(::ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
      return out;
    case Coding::brotli: {
      auto size = out.size();
      auto done = ::BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, bytes.size(),
                                          reinterpret_cast<std::uint8_t const*>(bytes.data()), &size,
                                          reinterpret_cast<std::uint8_t*>(out.data()));
      EXPECT_EQ(BROTLI_TRUE, done);
      out.resize(size);
      return out;
    }
    default:
      return {};
  }
}

std::vector<NamedCoding> const& all_codings() {
  static std::vector<NamedCoding> const codings = {
      {"plain", [](std::string_view t) { return std::string(t); }},
      {"base64", [](std::string_view t) { return to_base64(t); }},
      {"base64url", [](std::string_view t) { return to_base64_url(t); }},
      {"base64-shifted", [](std::string_view t) { return to_base64("a " + std::string(t)); }},
      {"base64-mime", mime},
      {"base32", [](std::string_view t) { return to_base32(t); }},
      {"base58", [](std::string_view t) { return to_base58(t); }},
      {"base85", base85},
      {"ascii85", ascii85},
      {"hex", [](std::string_view t) { return to_hex_text(t, ""); }},
      {"hex-colons", [](std::string_view t) { return to_hex_text(t, ":"); }},
      {"hex-spaces", [](std::string_view t) { return to_hex_text(t, " "); }},
      {"hex-c-array", [](std::string_view t) { return "0x" + to_hex_text(t, ", 0x"); }},
      {"percent", percent},
      {"percent-twice",
       [](std::string_view t) {
         return each(percent(t),
                     [](unsigned char c) { return c == '%' ? std::string("%25") : std::string(1, static_cast<char>(c)); });
       }},
      {"json-u", [](std::string_view t) { return each(t, [](unsigned char c) { return "\\u00" + hex2(c); }); }},
      {"backslash-x", [](std::string_view t) { return each(t, [](unsigned char c) { return "\\x" + hex2(c); }); }},
      {"octal",
       [](std::string_view t) {
         return each(t, [](unsigned char c) { return "\\" + std::string({digit(c >> 6), digit(c >> 3), digit(c)}); });
       }},
      {"decimal", [](std::string_view t) { return each(t, [](unsigned char c) { return std::to_string(c) + ", "; }); }},
      {"html-decimal",
       [](std::string_view t) { return each(t, [](unsigned char c) { return "&#" + std::to_string(c) + ";"; }); }},
      {"html-hex", [](std::string_view t) { return each(t, [](unsigned char c) { return "&#x" + hex2(c) + ";"; }); }},
      {"quoted-printable", [](std::string_view t) { return each(t, [](unsigned char c) { return "=" + hex2(c); }); }},
      {"utf-16le", [](std::string_view t) { return wide(t, 1); }},
      {"utf-16be", [](std::string_view t) { return wide(t, 0); }},
      {"zero-width", zero_width},
      {"full-width", full_width},
      {"homoglyphs", homoglyphs},
      {"reversed", [](std::string_view t) { return std::string(t.rbegin(), t.rend()); }},
      {"rot13", [](std::string_view t) { return rot13(t); }},
      {"gzip", [](std::string_view t) { return compressed(Coding::gzip, t); }},
      {"zlib", [](std::string_view t) { return compressed(Coding::zlib, t); }},
      {"zstd", [](std::string_view t) { return compressed(Coding::zstd, t); }},
      {"gzip-base64", gzip_base64},
      {"brotli-base64", [](std::string_view t) { return to_base64(compressed(Coding::brotli, t)); }},
      {"base64-twice", [](std::string_view t) { return to_base64(to_base64(t)); }},
      {"base64-of-hex", [](std::string_view t) { return to_base64(to_hex_text(t, "")); }},
      {"percent-of-base64", [](std::string_view t) { return percent(to_base64(t)); }},
      {"gzip-of-base64", [](std::string_view t) { return compressed(Coding::gzip, to_base64(t)); }},
  };
  return codings;
}

std::string encode(std::string_view coding, std::string_view text) {
  auto const& codings = all_codings();
  auto found = std::find_if(codings.begin(), codings.end(), [&](NamedCoding const& c) { return c.name == coding; });
  EXPECT_NE(codings.end(), found) << coding;
  return found == codings.end() ? std::string() : found->encode(text);
}

}  // namespace sallyport::dlp::test
