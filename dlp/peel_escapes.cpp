#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/escape_marks.hpp"
#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace sallyport::dlp {
namespace {

// How much text around an escape is decoded with it.
constexpr std::size_t kBefore = 2048;
constexpr std::size_t kBehind = 2048;
constexpr std::size_t kMargin = 32;

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

/// ECMAScript's "u{67}", behind the backslash.
std::size_t unescape_code_point(std::string_view text, std::string& out) {
  auto const end = text.substr(0, 9).find('}');
  if (end == std::string_view::npos) return 0;
  std::uint32_t value = 0;
  auto [rest, error] = std::from_chars(text.data() + 2, text.data() + end, value, 16);
  if (error != std::errc{} || rest != text.data() + end || value > 0x10ffff) return 0;
  append_utf8(static_cast<char32_t>(value), out);
  return end + 2;
}

/// Three octal digits of an ASCII character, as in C and Python, behind the backslash.
std::size_t unescape_octal(std::string_view text, std::string& out) {
  constexpr ByteSet kOctal = ByteSet::of("0-7");
  if (kOctal.run(text.substr(0, 3)) < 3) return 0;
  out += static_cast<char>((text[0] - '0') << 6 | (text[1] - '0') << 3 | (text[2] - '0'));
  return 4;
}

std::size_t unescape_backslash(std::string_view text, std::string& out) {
  if (text.size() < 4) return 0;
  if (text[1] == '/') {
    out += '/';
    return 2;
  }
  if (text[1] == '0' || text[1] == '1') return unescape_octal(text.substr(1), out);
  if (text.substr(1).starts_with("u{")) return unescape_code_point(text.substr(1), out);
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

/// RFC 2045 section 6.7: what a byte of ASCII text can be; small digits, too. Neither "a=12" nor "a=false" is an escape.
std::size_t unescape_quoted_printable(std::string_view text, std::string& out) {
  if (text.starts_with("=\r\n")) return 3;
  if (text.starts_with("=\n")) return 2;
  auto byte = hex_byte(text.substr(1));
  bool is_text = (byte >= ' ' && byte <= '~') || byte == '\t' || byte == '\r' || byte == '\n';
  if (!is_text) return 0;
  out += static_cast<char>(byte);
  return 3;
}

struct Escape {
  Coding coding;
  char mark;
  Unescape unescape;
  std::vector<std::size_t> EscapeMarks::*places;
};
constexpr std::array<Escape, 4> kEscapes = {{
    {Coding::percent, '%', unescape_percent, &EscapeMarks::percent},
    {Coding::json_escape, '\\', unescape_backslash, &EscapeMarks::backslash},
    {Coding::html_entity, '&', unescape_entity, &EscapeMarks::entity},
    {Coding::quoted_printable, '=', unescape_quoted_printable, &EscapeMarks::equals},
}};

/// A line that ends in the padding of a digest (20 or 32 bytes in base 64), as in go.sum, is not continued.
bool is_padding(std::string_view text, std::size_t at) {
  auto digits = kAnyBase64.run_back(text.substr(at - std::min<std::size_t>(at, 64), std::min<std::size_t>(at, 64)));
  return digits == 27 || digits == 43 || (at > 0 && text[at - 1] == '=');
}

/// "\/" in a URL or in a run of digits, as some writers of JSON have it. In a source it belongs to a regular expression.
bool is_escaped_slash(std::string_view text, std::size_t at) {
  constexpr std::size_t kDigits = 8;
  if (at > 0 && text[at - 1] == ':') return true;
  return kBase64.run(text.substr(at + 2, kDigits)) == kDigits && kBase64.run_back(text.substr(0, at).substr(at - std::min(at, kDigits))) == kDigits;
}

/// Stretches of text around escapes, from the start of a word to its end with a little of what stands beside it; neighbours
/// are merged.
class Stretches {
 public:
  explicit Stretches(std::string_view text) : text_(text) {}

  /// REQUIRES places in order.
  void add(std::size_t at) {
    constexpr ByteSet kWordParts = ByteSet::of("!#-;=?-~");  // no blanks, quotes, or angle brackets
    auto limit = std::min(text_.size(), at + kBehind);
    bool same_word = at < word_end_;  // what was looked at already is not looked at again
    auto from = same_word ? word_end_ : at;
    bool ended = same_word && word_end_ < last_limit_;
    if (!ended) word_end_ = from + kWordParts.run(text_.substr(from, limit - from));
    last_limit_ = limit;
    auto end = std::min(text_.size(), word_end_ + kMargin);
    if (same_word) {
      found_.back().end = end;
      return;
    }
    auto const seen = found_.empty() ? 0 : found_.back().end;  // which bounds the time, whatever the text
    auto const reach = std::min(at - std::min(at, seen), kBefore);
    auto begin = at - kWordParts.run_back(text_.substr(at - reach, reach));
    begin -= std::min(begin, kMargin);
    if (!found_.empty() && begin <= found_.back().end)
      found_.back().end = end;
    else
      found_.push_back({begin, end});
  }

  std::vector<Span> const& found() const { return found_; }

 private:
  std::string_view text_;
  std::vector<Span> found_;
  std::size_t word_end_ = 0;    // of the word that the last escape stands in, as far as it was looked for
  std::size_t last_limit_ = 0;  // which was up to here
};

std::vector<Span> stretches(std::string_view text, std::vector<std::size_t> const& marks, Escape const& escape) {
  Stretches stretches(text);
  std::string scratch;
  for (auto at : marks) {
    if (escape.unescape(text.substr(at), scratch) == 0) continue;
    scratch.clear();
    if (escape.coding == Coding::quoted_printable && is_padding(text, at)) continue;
    if (text.substr(at).starts_with("\\/") && !is_escaped_slash(text, at)) continue;
    stretches.add(at);
  }
  return stretches.found();
}

/// `text` with every escape of one kind replaced; where in `out` these stand.
std::vector<std::size_t> unescape_all(std::string_view text, Escape const& escape, std::string& out) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size();) {
    auto mark = std::min(text.find(escape.mark, at), text.size());
    out += text.substr(at, mark - at);
    at = mark;
    if (at == text.size()) break;
    auto place = out.size();
    auto length = escape.unescape(text.substr(at), out);
    if (length > 0)
      places.push_back(place);
    else
      out += text[at];
    at += std::max<std::size_t>(length, 1);
  }
  return places;
}

/// A few escapes in a text are searched for codings within only if one of them stands in a long run of digits, or for what
/// is no ASCII. URLs and forms escape little, and whatever coding stands in them is escaped.
Depth depth_for(std::string_view text, std::vector<std::size_t> const& places, Coding coding) {
  std::size_t const many = coding == Coding::percent ? 4 : 12;
  auto const is_ascii = [&](auto place) { return place >= text.size() || static_cast<unsigned char>(text[place]) < 0x80; };
  if (places.size() >= many || !std::all_of(places.begin(), places.end(), is_ascii)) return Depth::all;
  static RunFinder const finder(kAnyBase64, kMinCodedRun);
  std::vector<Span> runs;
  finder.find(text, runs);
  auto holds_escape = [&](Span const& run) {
    return std::any_of(places.begin(), places.end(), [&](auto place) { return place >= run.begin && place <= run.end; });
  };
  return std::any_of(runs.begin(), runs.end(), holds_escape) ? Depth::all : Depth::tokens;
}

void peel_stretch(std::string_view text, Span source, Escape const& escape, LayerSink const& sink) {
  std::string bytes;
  auto places = unescape_all(text.substr(source.begin, source.size()), escape, bytes);
  auto depth = depth_for(bytes, places, escape.coding);
  // Text that was quoted once holds signs that would be taken for escapes the second time: "key=0C…".
  int rounds = escape.coding == Coding::quoted_printable ? 1 : kMaxUnescapeRounds;
  for (int round = 1; round < rounds; ++round) {
    std::string next;
    if (unescape_all(bytes, escape, next).empty()) break;
    bytes = std::move(next);
    depth = Depth::all;
  }
  if (escape.coding == Coding::percent && bytes.find('+') != std::string::npos) {  // a form: for a blank
    std::string form(text.substr(source.begin, source.size())), blanks;
    std::replace(form.begin(), form.end(), '+', ' ');
    unescape_all(form, escape, blanks);
    sink({escape.coding, source, std::move(blanks), 0, depth});
  }
  sink({escape.coding, source, std::move(bytes), 0, depth});
}

}  // namespace

void peel_escapes(std::string_view text, LayerSink const& sink) {
  auto marks = find_escape_marks(text);
  for (auto const& escape : kEscapes) {
    for (auto const& source : stretches(text, marks.*escape.places, escape)) peel_stretch(text, source, escape, sink);
  }
}

}  // namespace sallyport::dlp
