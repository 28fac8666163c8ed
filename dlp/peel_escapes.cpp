#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace sallyport::dlp {
namespace {

// How much text around an escape is decoded with it.
constexpr std::size_t kBefore = 128;
constexpr std::size_t kBehind = 384;

struct Entity {
  std::string_view name;
  char c;
};
// HTML 13.5: the names of ASCII characters that tokens and their surroundings are made of.
constexpr Entity kEntities[] = {
    {"amp", '&'},    {"lt", '<'},     {"gt", '>'},     {"quot", '"'},   {"apos", '\''}, {"lowbar", '_'}, {"UnderBar", '_'},
    {"hyphen", '-'}, {"dash", '-'},   {"period", '.'}, {"colon", ':'},  {"sol", '/'},   {"plus", '+'},   {"equals", '='},
    {"commat", '@'}, {"num", '#'},    {"excl", '!'},   {"percnt", '%'}, {"semi", ';'},  {"comma", ','},  {"NewLine", '\n'},
    {"Tab", '\t'},   {"dollar", '$'}, {"lpar", '('},   {"rpar", ')'},   {"ast", '*'},   {"bsol", '\\'},  {"quest", '?'},
};

/// What an escape at the start of `text` stands for. Returns its length, 0 if there is none.
using Unescape = std::size_t (*)(std::string_view text, std::string& out);

int hex_byte(std::string_view digits) {
  if (digits.size() < 2 || hex_value(digits[0]) < 0 || hex_value(digits[1]) < 0) return -1;
  return hex_value(digits[0]) << 4 | hex_value(digits[1]);
}

std::size_t unescape_percent(std::string_view text, std::string& out) {
  auto byte = hex_byte(text.substr(1));
  if (byte < 0) return 0;
  out += static_cast<char>(byte);
  return 3;
}

std::size_t unescape_backslash(std::string_view text, std::string& out) {
  if (text.size() < 4) return 0;
  if (text[1] == 'x') {
    auto byte = hex_byte(text.substr(2));
    if (byte < 0) return 0;
    out += static_cast<char>(byte);
    return 4;
  }
  auto high = text[1] == 'u' ? hex_byte(text.substr(2)) : -1;
  auto low = high >= 0 ? hex_byte(text.substr(4)) : -1;
  if (low < 0) return 0;
  append_utf8(static_cast<char32_t>(high << 8 | low), out);
  return 6;
}

std::size_t unescape_entity(std::string_view text, std::string& out) {
  auto end = text.substr(0, 14).find(';');
  if (end == std::string_view::npos) return 0;
  auto name = text.substr(1, end - 1);
  if (!name.starts_with('#')) {
    auto const* entity =
        std::find_if(std::begin(kEntities), std::end(kEntities), [&](auto const& e) { return e.name == name; });
    if (entity == std::end(kEntities)) return 0;
    out += entity->c;
    return end + 1;
  }
  name.remove_prefix(1);
  int base = name.starts_with('x') || name.starts_with('X') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t value = 0;
  auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), value, base);
  if (error != std::errc{} || rest != name.data() + name.size() || value > 0x10ffff) return 0;
  append_utf8(static_cast<char32_t>(value), out);
  return end + 1;
}

std::size_t unescape_quoted_printable(std::string_view text, std::string& out) {
  if (text.starts_with("=\r\n")) return 3;
  if (text.starts_with("=\n")) return 2;
  auto byte = hex_byte(text.substr(1));
  if (byte < 0) return 0;
  out += static_cast<char>(byte);
  return 3;
}

struct Escape {
  Coding coding;
  char mark;
  Unescape unescape;
};
constexpr std::array<Escape, 4> kEscapes = {{
    {Coding::percent, '%', unescape_percent},
    {Coding::json_escape, '\\', unescape_backslash},
    {Coding::html_entity, '&', unescape_entity},
    {Coding::quoted_printable, '=', unescape_quoted_printable},
}};

/// Stretches of text around the escapes of one kind; neighbours are merged.
std::vector<Span> stretches(std::string_view text, Escape const& escape) {
  std::vector<Span> found;
  std::string scratch;
  for (std::size_t at = text.find(escape.mark); at != std::string_view::npos; at = text.find(escape.mark, at + 1)) {
    if (escape.unescape(text.substr(at), scratch) == 0) continue;
    scratch.clear();
    auto begin = at - std::min(at, kBefore);
    auto end = std::min(text.size(), at + kBehind);
    if (!found.empty() && begin <= found.back().end)
      found.back().end = end;
    else
      found.push_back({begin, end});
  }
  return found;
}

/// `text` with every escape of one kind replaced; whether there was one.
bool unescape_all(std::string_view text, Escape const& escape, std::string& out) {
  bool changed = false;
  for (std::size_t at = 0; at < text.size();) {
    auto mark = std::min(text.find(escape.mark, at), text.size());
    out += text.substr(at, mark - at);
    at = mark;
    if (at == text.size()) break;
    auto length = escape.unescape(text.substr(at), out);
    changed = changed || length > 0;
    if (length == 0) out += text[at];
    at += std::max<std::size_t>(length, 1);
  }
  return changed;
}

void peel_stretch(std::string_view text, Span source, Escape const& escape, LayerSink const& sink) {
  std::string bytes(text.substr(source.begin, source.size()));
  // Text that was quoted once holds signs that would be taken for escapes the second time: "key=0c…".
  int rounds = escape.coding == Coding::quoted_printable ? 1 : kMaxUnescapeRounds;
  for (int round = 0; round < rounds; ++round) {
    std::string next;
    if (!unescape_all(bytes, escape, next)) break;
    bytes = std::move(next);
  }
  sink({escape.coding, source, std::move(bytes), 0});
}

}  // namespace

void peel_escapes(std::string_view text, LayerSink const& sink) {
  for (auto const& escape : kEscapes) {
    for (auto const& source : stretches(text, escape)) peel_stretch(text, source, escape, sink);
  }
}

}  // namespace sallyport::dlp
