#include "dlp/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sallyport::dlp {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
constexpr Range kInvisible[] = {
    {0x00ad, 0x00ad}, {0x0300, 0x036f}, {0x061c, 0x061c}, {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f}, {0x20d0, 0x20ff}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0100, 0xe01ef},
};

/// A block whose characters are those of `ascii`, in order.
struct Block {
  char32_t first;
  std::string_view ascii;
};
constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kDecimal = "0123456789";
constexpr Block kBlocks[] = {
    {0x24b6, kUpper},  {0x24d0, kLower},  {0x2460, "123456789"}, {0x1f130, kUpper},
    {0x1f150, kUpper}, {0x1f170, kUpper}, {0x0660, kDecimal},    {0x06f0, kDecimal},
};

/// Letters of other scripts that look like ASCII ones (Unicode Technical Standard 39), ordered by code point.
struct Look {
  char32_t code_point;
  char ascii;
};
constexpr Look kLooks[] = {
    {0x0131, 'i'}, {0x017f, 's'}, {0x0251, 'a'}, {0x0261, 'g'}, {0x0269, 'i'}, {0x0391, 'A'}, {0x0392, 'B'}, {0x0395, 'E'},
    {0x0396, 'Z'}, {0x0397, 'H'}, {0x0399, 'I'}, {0x039a, 'K'}, {0x039c, 'M'}, {0x039d, 'N'}, {0x039f, 'O'}, {0x03a1, 'P'},
    {0x03a4, 'T'}, {0x03a5, 'Y'}, {0x03a7, 'X'}, {0x03b1, 'a'}, {0x03b3, 'y'}, {0x03b9, 'i'}, {0x03bd, 'v'}, {0x03bf, 'o'},
    {0x03c1, 'p'}, {0x03c3, 'o'}, {0x03c5, 'u'}, {0x03f2, 'c'}, {0x03f3, 'j'}, {0x03f9, 'C'}, {0x0405, 'S'}, {0x0406, 'I'},
    {0x0408, 'J'}, {0x0410, 'A'}, {0x0412, 'B'}, {0x0415, 'E'}, {0x041a, 'K'}, {0x041c, 'M'}, {0x041d, 'H'}, {0x041e, 'O'},
    {0x0420, 'P'}, {0x0421, 'C'}, {0x0422, 'T'}, {0x0423, 'Y'}, {0x0425, 'X'}, {0x0430, 'a'}, {0x0433, 'r'}, {0x0435, 'e'},
    {0x043e, 'o'}, {0x0440, 'p'}, {0x0441, 'c'}, {0x0443, 'y'}, {0x0445, 'x'}, {0x0455, 's'}, {0x0456, 'i'}, {0x0458, 'j'},
    {0x0475, 'v'}, {0x04ae, 'Y'}, {0x04af, 'y'}, {0x04bb, 'h'}, {0x04c0, 'I'}, {0x04cf, 'l'}, {0x0501, 'd'}, {0x050c, 'G'},
    {0x051b, 'q'}, {0x051c, 'W'}, {0x051d, 'w'}, {0x054d, 'U'}, {0x054f, 'S'}, {0x0555, 'O'}, {0x0561, 'w'}, {0x0563, 'q'},
    {0x0566, 'q'}, {0x0570, 'h'}, {0x0578, 'n'}, {0x057c, 'n'}, {0x057d, 'u'}, {0x0581, 'g'}, {0x0582, 'i'}, {0x0584, 'f'},
    {0x0585, 'o'}, {0x13a0, 'D'}, {0x13a1, 'R'}, {0x13a2, 'T'}, {0x13a5, 'i'}, {0x13a9, 'Y'}, {0x13aa, 'A'}, {0x13ab, 'J'},
    {0x13ac, 'E'}, {0x13b3, 'W'}, {0x13b7, 'M'}, {0x13bb, 'H'}, {0x13bd, 'Y'}, {0x13c0, 'G'}, {0x13c2, 'h'}, {0x13c3, 'Z'},
    {0x13cf, 'b'}, {0x13d2, 'R'}, {0x13d4, 'W'}, {0x13d5, 'S'}, {0x13d9, 'V'}, {0x13da, 'S'}, {0x13de, 'L'}, {0x13df, 'C'},
    {0x13e2, 'P'}, {0x13e6, 'K'}, {0x13e7, 'd'}, {0x13f3, 'G'}, {0x13f4, 'B'}, {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'},
    {0x2013, '-'}, {0x2014, '-'}, {0x2024, '.'}, {0x203f, '_'}, {0x2044, '/'}, {0x2070, '0'}, {0x2071, 'i'}, {0x2074, '4'},
    {0x2075, '5'}, {0x2076, '6'}, {0x2077, '7'}, {0x2078, '8'}, {0x2079, '9'}, {0x207f, 'n'}, {0x210a, 'g'}, {0x210b, 'H'},
    {0x210c, 'H'}, {0x210d, 'H'}, {0x210e, 'h'}, {0x2110, 'I'}, {0x2112, 'L'}, {0x2113, 'l'}, {0x2115, 'N'}, {0x2119, 'P'},
    {0x211a, 'Q'}, {0x211b, 'R'}, {0x211d, 'R'}, {0x2124, 'Z'}, {0x212a, 'K'}, {0x212c, 'B'}, {0x212d, 'C'}, {0x212f, 'e'},
    {0x2130, 'E'}, {0x2131, 'F'}, {0x2133, 'M'}, {0x2134, 'o'}, {0x2212, '-'}, {0xfe33, '_'}, {0xfe4d, '_'}, {0xfe58, '-'},
    {0xfe63, '-'},
};
static_assert(std::is_sorted(std::begin(kLooks), std::end(kLooks),
                             [](auto const& a, auto const& b) { return a.code_point < b.code_point; }));

/// Mathematical alphanumeric symbols: thirteen alphabets of 52 letters, then five rows of digits.
char mathematical(char32_t code_point) {
  constexpr char32_t kFirst = 0x1d400, kLettersEnd = kFirst + 13 * 52, kFirstDigit = 0x1d7ce, kLastDigit = 0x1d7ff;
  if (code_point >= kFirst && code_point < kLettersEnd) {
    auto index = (code_point - kFirst) % 52;
    return index < 26 ? kUpper[index] : kLower[index - 26];
  }
  return code_point >= kFirstDigit && code_point <= kLastDigit ? kDecimal[(code_point - kFirstDigit) % 10] : '\0';
}

}  // namespace

void append_utf8(char32_t c, std::string& out) {
  auto put = [&](char32_t bits) { out += static_cast<char>(static_cast<std::uint8_t>(bits)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xc0 | c >> 6);
    return put(0x80 | (c & 0x3f));
  }
  if ((c >= 0xd800 && c < 0xe000) || c > 0x10ffff) return;
  if (c < 0x10000) {
    put(0xe0 | c >> 12);
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
  }
  put(0x80 | (c >> 6 & 0x3f));
  put(0x80 | (c & 0x3f));
}

CodePoint first_code_point(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
  auto lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  char32_t value = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3f);
  }
  bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {};
  return {value, length};
}

char ascii_look(char32_t c) {
  if (c < 0x80) return static_cast<char>(c);
  if (c >= 0xff01 && c <= 0xff5e) return static_cast<char>(c - 0xff01 + '!');  // full width
  if (c >= 0xe0021 && c <= 0xe007e) return static_cast<char>(c - 0xe0000);     // tags
  for (auto const& block : kBlocks) {
    if (c >= block.first && c < block.first + block.ascii.size()) return block.ascii[c - block.first];
  }
  if (auto letter = mathematical(c)) return letter;
  auto const* look = std::lower_bound(std::begin(kLooks), std::end(kLooks), c,
                                      [](Look const& l, char32_t value) { return l.code_point < value; });
  return look != std::end(kLooks) && look->code_point == c ? look->ascii : '\0';
}

bool is_invisible(char32_t c) {
  return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                     [&](Range const& range) { return c >= range.first && c <= range.last; });
}

}  // namespace sallyport::dlp
