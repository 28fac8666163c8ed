#include "dlp/matcher.hpp"

#include "dlp/limits.hpp"
#include "dlp/plausible.hpp"
#include "dlp/split_token.hpp"

#include <algorithm>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kStrictNeighbour = ByteSet::of("A-Za-z0-9_+");
constexpr ByteSet kNamePart = ByteSet::of("A-Za-z0-9_.-"), kPhrasePart = ByteSet::of(" A-Za-z0-9_.-");

/// A name ends and a value begins within a few bytes: `="`, `': '`, `_id :=`, `\": \"`, `">`, `", "value": "`. The value; empty if
/// there is none.
std::string_view assigned_value(std::string_view behind) {
  constexpr ByteSet kNameRest = ByteSet::of("A-Za-z0-9_ \t\"'\\]).-"), kBlank = ByteSet::of(" \t"),
                    kQuote = ByteSet::of("\"'\\");
  constexpr ByteSet kValue = ByteSet::of("!#-%*-+--:=?-Z^_a-z~");
  constexpr std::size_t kBetween = 24;  // a name and what says "value"
  auto rest = behind.substr(0, 48);
  auto length = kNameRest.run(rest);
  if (length == rest.size()) return {};
  bool const assigned = rest[length] == '=' || rest[length] == ':', element = rest[length] == '>';
  if (!assigned && !element) {
    if (rest.substr(length).starts_with("\r\n\r\n")) return behind.substr(length + 4, kValue.run(behind.substr(length + 4, 160)));  // a part of a form
    auto const value = rest.find("value", length);
    if (value == std::string_view::npos || value > length + kBetween) return {};
    length = value + std::string_view("value").size();
    length += kNameRest.run(behind.substr(length, 4));
    if (length >= behind.size() || (behind[length] != '=' && behind[length] != ':')) return {};
  }
  rest = behind.substr(length + 1);
  if (rest.starts_with('=') || rest.starts_with('>')) rest.remove_prefix(1);
  rest.remove_prefix(kBlank.run(rest.substr(0, 4)));
  rest.remove_prefix(kQuote.run(rest.substr(0, 3)));
  return rest.substr(0, kValue.run(rest.substr(0, 160)));
}

/// A generated value stands within a line's length.
bool has_lone_value(std::string_view behind) {
  constexpr ByteSet kValue = ByteSet::of("0-9A-Za-z+/_-"), kInFront = ByteSet::of(" \t\r\n\"'`(=|");
  constexpr std::size_t kMin = 24, kMax = 64, kBetween = 42;
  behind = behind.substr(0, kBetween + kMax);
  for (std::size_t at = kMin - 1; at < behind.size(); at += kMin) {  // a run of kMin bytes is at one of these
    if (!kValue.contains(behind[at])) continue;
    auto const before = kValue.run_back(behind.substr(0, at));
    auto const run = behind.substr(at - before, before + kValue.run(behind.substr(at)));
    bool const stands_alone = before < at && kInFront.contains(behind[at - before - 1]);
    if (run.size() >= kMin && stands_alone && is_random_alone(run)) return true;
  }
  return false;
}

/// What the checks of these detectors would turn down, before the pattern is asked: values in code are names and calls.
bool value_fits(Detector const& detector, std::string_view value) {
  if (detector.check != Check::password && detector.check != Check::random) return !value.empty();
  if (value.size() < 8) return false;
  auto digits = std::any_of(value.begin(), value.end(), [](char c) { return kDigits.contains(c); });
  return digits || (detector.check == Check::random && value.size() >= 20);
}

/// Names that say token and mean no secret: `csrfToken`, `nextPageToken`, `cancel_token`.
bool names_no_secret(std::string_view text, std::size_t literal, std::size_t size, ByteSet const& name_part) {
  constexpr std::string_view kWords[] = {"csrf",   "xsrf",         "page",        "next",        "continu",
                                         "cursor", "cancel",       "public",      "forgery",     "nonce",
                                         "sync",   "verification", "digest",      "integrity",   "count",
                                         "limit",  "request",      "clienttoken", "changetoken", "libsecret",
                                         "progress", "idempoten"};
  constexpr std::size_t kAround = 24;
  auto before = text.substr(literal - std::min(literal, kAround), std::min(literal, kAround));
  before.remove_prefix(before.size() - name_part.run_back(before));
  bool const in_arn =
      literal >= 2 && text[literal - 1] == ':' && kDigits.contains(text[literal - 2]);  // "…:123456789012:secret:NAME"
  if (in_arn) return true;
  auto behind = text.substr(literal + size, kAround);
  std::string name(before);
  name += behind.substr(0, name_part.run(behind));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return std::any_of(std::begin(kWords), std::end(kWords), [&](auto word) { return name.find(word) != std::string::npos; });
}

/// What is assigned to a name of which the literal is a part.
std::string_view value_behind(std::string_view text, std::size_t literal_end) {
  bool const assigns = !kNamePart.contains(text[literal_end - 1]);  // "pass="
  return assigned_value(text.substr(literal_end - (assigns ? 1 : 0)));
}

/// The bytes behind the literal can be a token's.
bool body_fits(Detector const& detector, std::string_view text, Span literal) {
  auto const behind = text.substr(literal.end);
  if (detector.check == Check::lone_random) return has_lone_value(behind);
  if (detector.tier == Tier::context || detector.tier == Tier::generic) return value_fits(detector, value_behind(text, literal.end));
  auto needed = detector.body.run(behind.substr(0, detector.min));
  if (needed < detector.min) return false;
  if (detector.follow == '\0') return true;
  auto run = detector.body.run(behind.substr(0, detector.reach));
  return run < behind.size() && behind[run] == detector.follow;
}

/// How many bytes of what stands before the literal can belong to the token.
std::size_t lead_run(Lead const& lead, std::string_view before) {
  before.remove_prefix(before.size() - std::min<std::size_t>(before.size(), lead.max));
  return lead.alphabet.run_back(before);
}

bool edge_accepts(Edge edge, char neighbour) {
  switch (edge) {
    case Edge::open:
      return true;
    case Edge::word:
      return !kWord.contains(neighbour);
    case Edge::strict:
      return !kStrictNeighbour.contains(neighbour);
  }
  return true;
}

/// The letter before `begin` ends an escape: "\n" as JSON and sources write it, or the colour of a terminal, ESC "[31m".
bool ends_escape(std::string_view text, std::size_t begin) {
  constexpr ByteSet kEscaped = ByteSet::of("nrtbfv0"), kColours = ByteSet::of("0-9;");
  constexpr std::size_t kLongest = 12;
  auto const before = text.substr(begin - std::min(begin, kLongest), std::min(begin, kLongest));
  if (before.size() < 2) return false;
  if (before[before.size() - 2] == '\\') return kEscaped.contains(before.back());
  if (before.back() == '_') return !kStrictNeighbour.contains(before[before.size() - 2]);  // emphasis in Markdown
  if (before.back() != 'm') return false;
  auto const rest = before.substr(0, before.size() - 1 - kColours.run_back(before.substr(0, before.size() - 1)));
  return rest.ends_with('[');
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  auto const byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])); };
  return byte(0) | byte(1) << 8;
}

/// The data of a stored member begins here, behind its name: APPNOTE.TXT 4.3.7.
bool begins_zip_member(std::string_view text, std::size_t begin) {
  constexpr std::size_t kFixed = 30, kLongestName = 260;
  auto const from = begin - std::min(begin, kFixed + kLongestName);
  auto const before = text.substr(from, begin - from);
  auto const header = before.rfind("PK\x03\x04");
  if (header == std::string_view::npos || before.size() - header < kFixed) return false;
  return before.size() - header == kFixed + little_endian(before, header + 26) + little_endian(before, header + 28);
}

/// What stands before it is no text but says how long it is: a field of protobuf, a stored block of deflate (RFC 1951 section
/// 3.2.4), a header of zip.
bool is_framed(std::string_view text, std::size_t begin, std::size_t length) {
  if (begin >= 2 && static_cast<unsigned char>(text[begin - 1]) == length && (text[begin - 2] & 7) == 2) return true;
  if (begin >= 5 && (little_endian(text, begin - 4) ^ little_endian(text, begin - 2)) == 0xffff) return true;
  return begins_zip_member(text, begin);
}

bool edges_accept(Edge edge, std::string_view text, Span token) {
  // What a token is padded or followed by is not part of it.
  auto const at_end = [&](std::size_t at) { return at >= text.size(); };
  bool const emphasis = !at_end(token.end) && text[token.end] == '_' && (at_end(token.end + 1) || !kStrictNeighbour.contains(text[token.end + 1]));
  bool right = at_end(token.end) || text[token.end] == '=' || emphasis || edge_accepts(edge, text[token.end]);
  return right && (left_edge_accepts(edge, text, token.begin) || is_framed(text, token.begin, token.size()));
}

Certainty certainty_of(Detector const& detector, CheckResult result) {
  if (detector.tier == Tier::generic) return Certainty::guess;
  if (result == CheckResult::look_alike) return Certainty::look_alike;
  if (result == CheckResult::passed && detector.check != Check::random && detector.check != Check::password) {
    return Certainty::verified;
  }
  return Certainty::shaped;
}

/// Whether a checksum can outweigh what stands beside the token.
bool has_checksum(Check check) { return check != Check::none && check <= Check::bech32; }

/// The pattern at `start`, with its spans counted in `text`.
std::optional<LazyPattern::Match> match_from(RuleSet const& rules, std::uint16_t detector, std::string_view text,
                                             std::size_t start, std::size_t literal) {
  auto length = literal - start + rules.detectors()[detector].reach;
  auto found = rules.pattern(detector).match_at_start(text.substr(start, length));
  if (!found) return std::nullopt;
  for (auto* span : {&found->whole, &found->secret}) {
    span->begin += start;
    span->end += start;
  }
  return found;
}

/// The pattern of an assignment ends with the value, whose beginning is known.
std::optional<LazyPattern::Match> match_assignment(RuleSet const& rules, std::uint16_t detector, std::string_view text, Span literal) {
  auto const value = value_behind(text, literal.end);
  auto const end = literal.begin + rules.pattern(detector).end_at_start(text.substr(literal.begin, rules.detectors()[detector].reach));
  auto const begin = static_cast<std::size_t>(value.data() - text.data());
  if (end <= begin) return std::nullopt;
  return LazyPattern::Match{{literal.begin, end}, {begin, end}};
}

/// A URL of documentation or of this machine: its password opens nothing.
bool is_example_url(std::string_view url) {
  constexpr std::string_view kHosts[] = {"localhost",       "127.0.0.1",   "example.com",
                                         "www.example.com", "example.org", "example.net", "example"};
  auto const host = url.substr(std::min(url.rfind('@'), url.size() - 1) + 1);
  return std::find(std::begin(kHosts), std::end(kHosts), host) != std::end(kHosts);
}

std::optional<Match> judge(RuleSet const& rules, std::uint16_t index, std::string_view text, LazyPattern::Match found) {
  auto const& detector = rules.detectors()[index];
  auto secret = text.substr(found.secret.begin, found.secret.end - found.secret.begin);
  auto result = run_check(detector.check, secret);
  if (result == CheckResult::rejected || is_published(secret)) return std::nullopt;
  bool const is_url = detector.check == Check::url_password && detector.tier == Tier::structural;
  if (is_url && is_example_url(text.substr(found.whole.begin, found.whole.size()))) return std::nullopt;
  if (result != CheckResult::passed || !has_checksum(detector.check)) {
    if (!edges_accept(detector.edge, text, {found.whole.begin, found.secret.end})) return std::nullopt;
    if (detector.tier == Tier::token && is_placeholder(secret)) return std::nullopt;
  }
  char const next = found.secret.end < text.size() ? text[found.secret.end] : '\0';
  if (detector.tier == Tier::generic && is_code(secret, next)) return std::nullopt;
  if (!rules.admits(index, secret)) return std::nullopt;
  return Match{index, certainty_of(detector, result), found.secret.begin, found.secret.end, found.whole, {}};
}

}  // namespace

bool left_edge_accepts(Edge edge, std::string_view text, std::size_t begin) {
  return begin == 0 || edge_accepts(edge, text[begin - 1]) || ends_escape(text, begin);
}

std::size_t reach_of(Detector const& detector) { return detector.reach + kSplitReach; }

std::optional<Match> match_at(RuleSet const& rules, std::uint16_t detector_index, std::string_view text, LiteralHit hit) {
  auto const& detector = rules.detectors()[detector_index];
  auto literal_size = rules.plain().literals()[hit.literal].text.size();
  if (detector.lead.max == 0 && !has_checksum(detector.check) && !left_edge_accepts(detector.edge, text, hit.position)) {
    auto const run = detector.body.run(text.substr(hit.position + literal_size, detector.reach));
    if (run < detector.min || !is_framed(text, hit.position, literal_size + run)) return std::nullopt;
  }
  if (!body_fits(detector, text, {hit.position, hit.position + literal_size})) {
    return match_split(rules, detector_index, text, hit);
  }
  auto const& name_part = detector.check == Check::lone_random ? kPhrasePart : kNamePart;
  if (detector.tier == Tier::generic && names_no_secret(text, hit.position, literal_size, name_part)) return std::nullopt;
  bool const assignment = detector.tier == Tier::generic && (detector.check == Check::password || detector.check == Check::random);
  if (assignment) {
    auto const found = match_assignment(rules, detector_index, text, {hit.position, hit.position + literal_size});
    return found ? judge(rules, detector_index, text, *found) : std::nullopt;
  }
  auto run = lead_run(detector.lead, text.substr(0, hit.position));
  if (run < detector.lead.min) return std::nullopt;
  auto found = match_from(rules, detector_index, text, hit.position - run, hit.position);
  // What stands before a token may be of its alphabet too: "/put/TOKEN".
  if (!found && run > detector.lead.min) {
    found = match_from(rules, detector_index, text, hit.position - detector.lead.min, hit.position);
  }
  return found ? judge(rules, detector_index, text, *found) : match_split(rules, detector_index, text, hit);
}

std::optional<Match> match_word(RuleSet const& rules, std::uint16_t detector, std::string_view text, Span word) {
  auto const& shape = rules.detectors()[detector].word;
  if (word.size() < shape.min || word.size() > shape.max || !shape.first.contains(text[word.begin])) return std::nullopt;
  auto const found = match_from(rules, detector, text, word.begin, word.begin);
  return found ? judge(rules, detector, text, *found) : std::nullopt;
}

}  // namespace sallyport::dlp
