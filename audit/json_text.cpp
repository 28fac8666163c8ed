#include "audit/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace sallyport::audit {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

/// Printable ASCII that needs no escape for any target.
constexpr bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\'; }

constexpr auto kPlain = [] {
  std::array<bool, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = is_plain(static_cast<unsigned char>(byte));
  return table;
}();

struct Range {
  char32_t first;
  char32_t last;
};

/// Controls, and characters of general category Cf, Zl and Zp that show nothing or change the order of what is shown.
constexpr Range kHidden[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},  // C0, DEL, C1
    {0x00ad, 0x00ad},                      // soft hyphen
    {0x034f, 0x034f},                      // combining grapheme joiner
    {0x061c, 0x061c},                      // Arabic letter mark
    {0x115f, 0x1160},                      // Hangul fillers
    {0x180b, 0x180f},                      // Mongolian separators
    {0x200b, 0x200f},                      // zero width, left-to-right and right-to-left marks
    {0x2028, 0x202e},                      // line and paragraph separators, bidirectional embeddings and overrides
    {0x2060, 0x206f},                      // word joiner, bidirectional isolates
    {0x3164, 0x3164},                      // Hangul filler
    {0xfe00, 0xfe0f},                      // variation selectors
    {0xfeff, 0xfeff},                      // byte order mark
    {0xfff0, 0xfffb},                      // interlinear annotation
    {0xe0000, 0xe0fff},                    // tags, more variation selectors
};

bool is_hidden(char32_t code_point) {
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [&](Range range) { return code_point >= range.first && code_point <= range.last; });
}

/// The first character of a text; no code point if its first byte does not begin a well-formed one.
struct Character {
  std::optional<char32_t> code_point;
  std::size_t bytes = 1;
};

/// RFC 3629 section 4: no overlong forms, no surrogates, nothing above U+10FFFF.
Character first_character(std::string_view text) {
  auto const lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  std::size_t const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t code_point = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    code_point = code_point << 6 | (byte & 0x3f);
  }
  bool const overlong = (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  bool const surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (overlong || surrogate || code_point > 0x10ffff) return {};
  return {code_point, length};
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHexDigits[(value >> shift) & 0xf];
}

void append_unicode_escape(std::string& out, char32_t code_point) {
  if (code_point > 0xffff) {
    append_unicode_escape(out, 0xd800 + ((code_point - 0x10000) >> 10));
    append_unicode_escape(out, 0xdc00 + ((code_point - 0x10000) & 0x3ff));
    return;
  }
  out += "\\u";
  append_hex(out, code_point, 4);
}

void append_character(std::string& out, Character character, std::string_view text, EscapeFor target) {
  if (!character.code_point) {
    out += target == EscapeFor::json ? "\\\\x" : "\\x";
    append_hex(out, static_cast<unsigned char>(text[0]), 2);
  } else if (is_hidden(*character.code_point)) {
    append_unicode_escape(out, *character.code_point);
  } else {
    bool const special = *character.code_point == '"' || *character.code_point == '\\';
    if (special && target == EscapeFor::json) out += '\\';
    out += text.substr(0, character.bytes);
  }
}

std::size_t plain_prefix(std::string_view text) {
  auto const end = std::find_if_not(text.begin(), text.end(), [](char c) { return kPlain[static_cast<unsigned char>(c)]; });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

Fit append_escaped(std::string& out, std::string_view text, EscapeFor target, std::size_t max_bytes) {
  auto const start = out.size();
  while (!text.empty()) {
    auto const room = max_bytes - (out.size() - start);
    auto const plain = plain_prefix(text);
    out += text.substr(0, std::min(plain, room));
    if (plain > room) return Fit::cut;
    text.remove_prefix(plain);
    if (text.empty()) break;

    auto const before = out.size();
    auto const character = first_character(text);
    append_character(out, character, text, target);
    if (out.size() - start > max_bytes) {
      out.resize(before);
      return Fit::cut;
    }
    text.remove_prefix(character.bytes);
  }
  return Fit::whole;
}

std::string printable(std::string_view text) {
  std::string out;
  append_escaped(out, text, EscapeFor::terminal, std::string::npos);
  return out;
}

}  // namespace sallyport::audit
