#include "dlp/value_join.hpp"

#include "dlp/byte_set.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kPart = ByteSet::of("A-Za-z0-9+/_.~-");
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

/// What stands behind a value. A ':' or '=' makes it a name.
bool ends_value(std::string_view text, std::size_t end) {
  char next = at(text, end);
  if (next == '\\') next = at(text, ++end);  // a quote in a string
  if (next == '"' || next == '\'') return at(text, end + 1) != ':';
  while (next == '=') next = at(text, ++end);  // padding
  return end >= text.size() || next == '&' || next == ';' || next == '<' || next == '\r' || next == '\n' || next == ',' ||
         next == ' ';
}

bool begins_value(std::string_view text, std::size_t begin) {
  if (begin == 0) return false;
  char before = text[begin - 1], before_that = begin > 1 ? text[begin - 2] : '\0';
  switch (before) {
    case '"':
    case '\'':
      return before_that != '=';  // name="…" of a multipart part
    case ' ':
      return before_that == ':';
    case '=':
    case '>':
    case '\n':
      return true;
    default:
      return false;
  }
}

}  // namespace

JoinedValues join_values(std::string_view message) {
  JoinedValues joined;
  for (std::size_t begin = next_start(message, 0); begin < message.size();) {
    auto length = kPart.run(message.substr(begin));
    bool header = begin > 0 && message[begin - 1] == ' ';  // a parameter follows: "form-data; name="
    bool whole = !header || at(message, begin + length) != ';';
    if (length > 0 && whole && begins_value(message, begin) && ends_value(message, begin + length)) {
      joined.pieces.push_back({joined.text.size(), {begin, begin + length}});
      joined.text += message.substr(begin, length);
    }
    begin = next_start(message, begin + length);
  }
  return joined;
}

JoinedValues join_values(RuleSet const& rules, std::string_view message) {
  auto const joined = join_values(message);
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
    auto const end = i + 1 < joined.pieces.size() ? joined.pieces[i + 1].joined : joined.text.size();
    if (begins.contains(piece.joined)) edged.text += '\n';
    edged.pieces.push_back({edged.text.size(), piece.source});
    edged.text += std::string_view(joined.text).substr(piece.joined, end - piece.joined);
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
