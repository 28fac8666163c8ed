#include "dlp/value_join.hpp"

#include "dlp/base_n.hpp"
#include "dlp/byte_set.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kPart = ByteSet::of("A-Za-z0-9+/_.~-");
constexpr ByteSet kPathPart = ByteSet::of("A-Za-z0-9+_.~=-");
constexpr ByteSet kBefore = ByteSet::of("\"' =>\n");  // what a value may stand behind; none of it is part of one

/// The first byte behind one of kBefore, at or after `from`. Most bytes of a message are looked at here only.
std::size_t next_start(std::string_view text, std::size_t from) {
  static constexpr auto kTable = [] {
    std::array<bool, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = kBefore.contains(static_cast<char>(byte));
    return table;
  }();
  while (from < text.size() && !kTable[static_cast<unsigned char>(text[from])]) ++from;
  return from + 1;
}

char at(std::string_view text, std::size_t position) { return position < text.size() ? text[position] : '\0'; }

/// What stands behind a value. A ':' or '=' makes it a name; '=' may be its padding.
bool ends_value(std::string_view text, std::size_t begin, std::size_t end) {
  auto const digits = end - begin;
  while (at(text, end) == '=' && end - begin < digits + 2) ++end;
  char next = at(text, end);
  if (next == '\\') next = at(text, ++end);  // a quote in a string
  bool const padded = end - begin > digits;
  if (next == '"' || next == '\'')
    return at(text, end + 1) != ':' && (!padded || (end - begin) % 4 == 0);  // not `name="…"`
  if (begin == 0 && next == ' ') return false;                               // a sentence
  return end >= text.size() || next == '&' || next == ';' || next == '<' || next == '\r' || next == '\n' || next == ',' ||
         next == ' ';
}

/// `name="a"` of a multipart part: no value.
bool names_part(std::string_view text, std::size_t quote) { return text.substr(0, quote).ends_with("name="); }

/// A line of a multipart body between two parts.
bool is_delimiter(std::string_view text, std::size_t begin) { return text.substr(begin).starts_with("--"); }

bool begins_value(std::string_view text, std::size_t begin) {
  if (begin == 0) return !is_delimiter(text, 0);
  char before = text[begin - 1], before_that = begin > 1 ? text[begin - 2] : '\0';
  switch (before) {
    case '"':
    case '\'':
      return !names_part(text, begin - 1);
    case ' ':
      return before_that == ':';
    case '=':
    case '>':
      return true;
    case '\n':
      return !is_delimiter(text, begin);
    default:
      return false;
  }
}

bool is_text(std::string_view bytes) {
  return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// What a value is base 64 or hexadecimal of; empty if that is no text without blanks.
std::string decoded_text(std::string_view value) {
  constexpr std::size_t kMinDigits = 6;
  if (value.size() < kMinDigits) return {};
  std::string bytes;
  if (value.size() % 2 == 0 && kHex.run(value) == value.size()) {
    for (std::size_t i = 0; i < value.size(); i += 2)
      bytes += static_cast<char>(hex_value(value[i]) << 4 | hex_value(value[i + 1]));
    if (is_text(bytes)) return bytes;
    bytes.clear();
  }
  auto const used = decode_base64(value, bytes);
  return used == value.size() && is_text(bytes) ? bytes : std::string();
}

/// Where the path of "scheme://host/path" or of "METHOD /path HTTP/1.1" begins; the end of the text if it is neither.
std::size_t path_of(std::string_view message) {
  constexpr ByteSet kWordOfHead = ByteSet::of("A-Za-z+.-");
  auto const first = kWordOfHead.run(message.substr(0, 32));
  auto const behind = message.substr(first);
  if (behind.starts_with("://")) return std::min(message.find('/', first + 3), message.size());
  return behind.starts_with(" /") ? first + 1 : message.size();
}

}  // namespace

JoinedValues join_values(std::string_view message) {
  JoinedValues joined;
  for (std::size_t begin = 0; begin < message.size();) {
    if (!kPart.contains(message[begin]) || !begins_value(message, begin)) {  // most places are none
      begin = next_start(message, begin);
      continue;
    }
    auto const end = begin + kPart.run(message.substr(begin));
    bool header = begin > 0 && message[begin - 1] == ' ';  // a parameter follows: "form-data; name="
    bool whole = !header || at(message, end) != ';';
    bool const is_value = whole && ends_value(message, begin, end);
    if (is_value) {
      joined.pieces.push_back({joined.text.size(), {begin, end}});
      joined.text += message.substr(begin, end - begin);
    }
    bool const closes = is_value && at(message, end) == '"';  // what stands behind a closing quote is no value: "a"+"b"
    begin = next_start(message, end + (closes ? 1 : 0));
  }
  return joined;
}

JoinedValues decoded_values(JoinedValues const& joined) {
  JoinedValues decoded;
  for (std::size_t i = 0; i < joined.pieces.size(); ++i) {
    auto text = decoded_text(joined.piece(i));
    if (text.empty()) continue;
    decoded.pieces.push_back({decoded.text.size(), joined.pieces[i].source});
    decoded.text += text;
  }
  return decoded;
}

JoinedValues path_parts(std::string_view message) {
  JoinedValues joined;
  for (auto begin = path_of(message); begin < message.size() && message[begin] == '/';) {
    auto const length = kPathPart.run(message.substr(++begin));
    joined.pieces.push_back({joined.text.size(), {begin, begin + length}});
    joined.text += message.substr(begin, length);
    begin += length;
  }
  return joined;
}

std::string_view JoinedValues::piece(std::size_t index) const {
  auto const begin = pieces[index].joined;
  auto const end = index + 1 < pieces.size() ? pieces[index + 1].joined : text.size();
  return std::string_view(text).substr(begin, end - begin);
}

JoinedValues with_edges(RuleSet const& rules, JoinedValues const& joined) {
  std::vector<LiteralHit> hits;
  rules.plain().find(joined.text, hits);
  auto is_token = [&](LiteralHit const& hit) {
    auto const& owners = rules.owners(hit.literal);
    return std::any_of(owners.begin(), owners.end(),
                       [&](auto owner) { return rules.detectors()[owner].tier == Tier::token; });
  };
  std::set<std::size_t> begins;
  for (auto const& hit : hits) {
    if (is_token(hit)) begins.insert(hit.position);
  }
  JoinedValues edged;
  for (std::size_t i = 0; i < joined.pieces.size(); ++i) {
    auto const& piece = joined.pieces[i];
    if (begins.contains(piece.joined)) edged.text += '\n';
    edged.pieces.push_back({edged.text.size(), piece.source});
    edged.text += joined.piece(i);
  }
  return edged;
}

Span JoinedValues::source_of(std::size_t begin, std::size_t end) const {
  auto piece_at = [&](std::size_t place) -> Piece const& {
    auto next = std::upper_bound(pieces.begin(), pieces.end(), place,
                                 [](auto value, Piece const& piece) { return value < piece.joined; });
    return *(next - 1);
  };
  auto const& first = piece_at(begin);
  auto const& last = piece_at(end - 1);
  return {first.source.begin + (begin - first.joined), last.source.begin + (end - last.joined)};
}

}  // namespace sallyport::dlp
