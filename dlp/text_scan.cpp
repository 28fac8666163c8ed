#include "dlp/text_scan.hpp"

#include "dlp/limits.hpp"
#include "dlp/packed_stream.hpp"
#include "dlp/seed_phrase.hpp"
#include "dlp/value_join.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMaxLiteral = 64;      // longer than any literal
constexpr std::size_t kUnpackAttempt = 512;  // what trying to unpack costs, in bytes of output
constexpr std::size_t kDisguisedEdge = 32;   // a literal may hold signs that are no digits: "ya29.", "-----BEGIN "
constexpr std::size_t kBehindUnmarked = 12;    // bytes: a line of words, the end of a multipart
constexpr std::size_t kMinUnpacked = 16;     // less output than this before a failure is noise

/// Better matches first: what is worse to lose; what is no look-alike; what the vendor's own prefix says, since that knows where
/// it may go; the surer; the longer.
auto rank(RuleSet const& rules, Match const& match) {
  auto const& detector = rules.detectors()[match.detector];
  return std::tuple(detector.severity < Severity::high, match.certainty == Certainty::look_alike, detector.tier != Tier::token,
                    match.certainty, match.begin - match.end);
}

/// Leaves, of matches that overlap, the best.
void drop_overlapped(RuleSet const& rules, std::vector<Match>& matches) {
  std::stable_sort(matches.begin(), matches.end(), [&](auto const& a, auto const& b) { return rank(rules, a) < rank(rules, b); });
  std::vector<Match> kept;
  for (auto& match : matches) {
    auto overlaps = [&](Match const& other) { return match.begin < other.end && other.begin < match.end; };
    if (std::none_of(kept.begin(), kept.end(), overlaps)) kept.push_back(std::move(match));
    if (kept.size() >= kMaxFindings) break;
  }
  matches = std::move(kept);
}

/// The stretches of text around hits of one disguise, neighbours merged.
std::vector<Span> stretches(RuleSet const& rules, std::vector<LiteralHit> const& hits, Disguise disguise,
                            std::size_t size) {
  std::vector<Span> found;
  for (auto const& hit : hits) {
    if (rules.disguise(hit.literal) != disguise) continue;
    Span around{hit.position - std::min(hit.position, kSplitReach), std::min(size, hit.position + kSplitReach)};
    if (!found.empty() && around.begin <= found.back().end)
      found.back().end = std::max(found.back().end, around.end);
    else
      found.push_back(around);
  }
  return found;
}

/// Whether a literal stands in a run of digits, or a few bytes beside it.
bool is_near_run(std::vector<Span> const& runs, Span literal) {
  auto const run = std::lower_bound(runs.begin(), runs.end(), literal.end, [](Span const& r, std::size_t end) { return r.end + kDisguisedEdge < end; });
  return run != runs.end() && run->begin <= literal.begin + kDisguisedEdge;
}

std::string undisguise(std::string_view text, Disguise disguise) {
  return disguise == Disguise::rot13 ? rot13(text) : std::string(text.rbegin(), text.rend());
}

struct Unpacked {
  std::string bytes;
  std::size_t consumed = 0;
  StreamState state = StreamState::open;
};

/// Unpacks up to kMaxInlineUnpack bytes of output.
Unpacked unpack(std::string_view text, Coding coding) {
  Unpacked result;
  auto decompressor = make_decompressor(coding);
  while (result.state == StreamState::open && result.bytes.size() < kMaxInlineUnpack) {
    auto size = result.bytes.size();
    result.bytes.resize(size + std::min(kUnpackChunk, std::max<std::size_t>(4096, 4 * text.size())));
    auto step = decompressor->step(text.substr(result.consumed), std::span(result.bytes).subspan(size));
    result.bytes.resize(size + step.produced);
    result.consumed += step.consumed;
    result.state = step.state;
    if (step.produced == 0 && (step.consumed == 0 || result.consumed == text.size())) break;
  }
  return result;
}

/// How often it stands where one may begin: behind "%20" a token that wants no neighbour is none.
std::size_t count_of(std::string_view value, std::string_view text, Edge edge) {
  std::size_t count = 0;
  for (auto at = text.find(value); at != std::string_view::npos; at = text.find(value, at + value.size()))
    count += left_edge_accepts(edge, text, at) ? 1 : 0;
  return count;
}

/// Whether every one of these values in `text` is one of `source`, which decodes to it, as it stands: found there already.
bool stands_uncoded(std::string_view value, std::string_view text, std::string_view source, Edge edge) {
  return source.size() >= value.size() && !value.empty() && count_of(value, text, edge) <= count_of(value, source, edge);
}

}  // namespace

/// The word that begins a run of digits.
void TextScan::try_word(std::string_view text, Span run, std::vector<Match>& matches) const {
  for (auto detector : rules_.word_detectors()) {
    auto const& shape = rules_.detectors()[detector].word;
    if (!shape.first.contains(text[run.begin])) continue;
    auto const length = kBase64Url.run(text.substr(run.begin, std::min<std::size_t>(run.size(), shape.max + 1)));
    if (auto match = match_word(rules_, detector, text, {run.begin, run.begin + length}))
      matches.push_back(std::move(*match));
  }
}

void TextScan::scan(std::string_view text, Span starts, Origin const& origin) {
  if (origin.depth() == 0) open_streams_.clear();
  scan_inside(text, starts, origin, {});
}

void TextScan::scan_inside(std::string_view text, Span starts, Origin const& origin, std::string_view source) {
  auto const runs = digit_runs(text);
  find_tokens(text, starts, origin, source);
  find_words(text, starts, runs, origin, source);
  find_phrases(text, starts, origin, source);
  find_known(text, origin, source);
  if (origin.depth() > 0 && is_compression(origin.codings.back())) find_joined(text, origin);
  if (origin.depth() < kMaxDepth && !budget_.exhausted()) scan_layers(text, runs, origin);
}

void TextScan::scan_layers(std::string_view text, std::vector<Span> const& runs, Origin const& origin) {
  find_disguised(text, runs, origin);
  find_compressed(text, origin);
  auto sink = [&](Layer&& layer) { scan_layer(std::move(layer), origin, text); };
  peel_escapes(text, sink);
  peel_numerals(text, runs, sink);
  peel_numbers(text, runs, sink);
  peel_characters(text, sink);
}

void TextScan::scan_layer(Layer&& layer, Origin const& origin, std::string_view text) {
  if (layer.bytes.size() < KnownValues::kMinBytes) return;
  if (!budget_.spend(layer.bytes.size())) {
    log_.add(decode_limit_at(origin.base), {});
    return;
  }
  if (origin.depth() == 0) {
    base64_source_ = layer.coding == Coding::base64 ? layer.source : Span{};
    base64_skip_ = layer.skip_digits;
  }
  auto inner = origin.within(layer.source, layer.coding);
  auto source = text.substr(std::min(layer.source.begin, text.size()), layer.source.size());
  if (layer.depth == Depth::tokens) {
    find_tokens(layer.bytes, {0, layer.bytes.size()}, inner, source);
    find_words(layer.bytes, {0, layer.bytes.size()}, digit_runs(layer.bytes), inner, source);
    find_phrases(layer.bytes, {0, layer.bytes.size()}, inner, source);
    return find_known(layer.bytes, inner, source);
  }
  if (layer.depth == Depth::brotli) return find_unmarked(layer.bytes, Coding::brotli, inner);
  if (layer.depth == Depth::deflate) return find_unmarked(layer.bytes, Coding::deflate, inner);
  scan_inside(layer.bytes, {0, layer.bytes.size()}, inner, source);
}

std::vector<Match> TextScan::matches_in(std::string_view text, Span starts) const {
  std::vector<LiteralHit> hits;
  auto searched = text.substr(0, std::min(text.size(), starts.end + kMaxLiteral)).substr(starts.begin);
  rules_.plain().find(searched, hits);
  std::vector<Match> matches;
  for (auto hit : hits) {
    hit.position += starts.begin;
    if (hit.position >= starts.end) continue;
    for (auto detector : rules_.owners(hit.literal)) {
      if (auto match = match_at(rules_, detector, text, hit)) matches.push_back(std::move(*match));
    }
  }
  drop_overlapped(rules_, matches);
  return matches;
}

void TextScan::find_tokens(std::string_view text, Span starts, Origin const& origin, std::string_view source) {
  add_uncoded(matches_in(text, starts), text, origin, source);
}

/// A run of digits of either alphabet of base 64 is words with '/' and '+' between them.
void TextScan::find_words(std::string_view text, Span starts, std::vector<Span> const& runs, Origin const& origin,
                          std::string_view source) {
  std::vector<Match> matches;
  for (auto const& run : runs) {
    auto const digits = text.substr(0, run.end);
    auto slash = digits.find('/', run.begin), plus = digits.find('+', run.begin);
    for (auto begin = run.begin; begin < run.end;) {
      if (begin >= starts.begin && begin < starts.end) try_word(text, {begin, run.end}, matches);
      auto const end = std::min(slash, plus);
      if (end == std::string_view::npos) break;
      auto& found = end == slash ? slash : plus;
      found = digits.find(text[end], end + 1);
      begin = end + 1;
    }
  }
  add_uncoded(matches, text, origin, source);
}

void TextScan::find_phrases(std::string_view text, Span starts, Origin const& origin, std::string_view source) {
  auto const detector = rules_.phrase_detector();
  if (!detector) return;
  std::vector<Match> matches;
  for (auto const& phrase : find_seed_phrases(text)) {
    if (phrase.begin < starts.begin || phrase.begin >= starts.end) continue;
    matches.push_back({*detector, Certainty::verified, phrase.begin, phrase.end, phrase, {}});
  }
  add_uncoded(matches, text, origin, source);
}

void TextScan::add_uncoded(std::vector<Match> const& matches, std::string_view text, Origin const& origin,
                           std::string_view source) {
  for (auto const& match : matches) {
    bool const uncoded = match.joined.empty() && stands_uncoded(text.substr(match.whole.begin, match.whole.size()), text,
                                                                source, rules_.detectors()[match.detector].edge);
    if (!uncoded) log_.add(rules_, match, text, origin);
  }
}

/// A token that was cut over the values of a text that was compressed: of other texts the whole message is joined. Longer
/// texts are packages, and no requests.
void TextScan::find_joined(std::string_view text, Origin const& origin) {
  if (text.size() >= kBlockBytes) return;
  auto const joined = with_edges(rules_, join_values(text));
  if (joined.pieces.size() < 2) return;
  for (auto const& match : matches_in(joined.text, {0, joined.text.size()})) {
    auto const& detector = rules_.detectors()[match.detector];
    bool const sure = match.certainty == Certainty::verified || match.certainty == Certainty::shaped;
    if (sure && detector.tier == Tier::token && detector.severity >= Severity::high)
      log_.add(rules_, match, joined.text, origin);
  }
}

void TextScan::find_known(std::string_view text, Origin const& origin, std::string_view source) {
  std::vector<KnownHit> hits;
  known_.find(text, hits);
  for (auto const& hit : hits) {
    if (stands_uncoded(text.substr(hit.begin, hit.end - hit.begin), text, source, Edge::open)) continue;
    Finding finding{.detector = std::string(detector_of(known_.kind(hit.value))),
                    .severity = known_.kind(hit.value) == KnownKind::passed ? Severity::medium : Severity::critical,
                    .tier = Tier::structural,
                    .certainty = Certainty::verified,
                    .offset = origin.base + (origin.depth() == 0 ? hit.begin : 0),
                    .length = origin.depth() == 0 ? hit.end - hit.begin : origin.length,
                    .codings = origin.codings};
    finding.name = known_.name(hit.value);
    auto const& codings = known_.codings(hit.value);
    finding.codings.insert(finding.codings.end(), codings.begin(), codings.end());
    log_.add(std::move(finding), text.substr(hit.begin, hit.end - hit.begin));
  }
}

/// Tokens are long runs of digits and letters, whichever way they are turned.
void TextScan::find_disguised(std::string_view text, std::vector<Span> const& runs, Origin const& origin) {
  std::vector<LiteralHit> hits;
  rules_.disguised().find(text, hits);
  std::erase_if(hits, [&](auto const& hit) { return !is_near_run(runs, {hit.position, hit.position + rules_.disguised().literals()[hit.literal].text.size()}); });
  if (hits.empty()) return;
  for (auto disguise : {Disguise::reversed, Disguise::rot13}) {
    auto coding = disguise == Disguise::reversed ? Coding::reversed : Coding::rot13;
    for (auto const& source : stretches(rules_, hits, disguise, text.size())) {
      auto bytes = undisguise(text.substr(source.begin, source.size()), disguise);
      auto matches = matches_in(bytes, {0, bytes.size()});
      std::erase_if(matches, [](auto const& match) { return !match.joined.empty(); });  // turned prose falls into pieces by chance
      add_uncoded(matches, bytes, origin.within(source, coding), text.substr(source.begin, source.size()));
    }
  }
}

void TextScan::find_compressed(std::string_view text, Origin const& origin) {
  PackedStart start;
  for (std::size_t from = 0; find_packed(text, from, start);) {
    from = start.position + 1;
    if (!budget_.spend(kUnpackAttempt)) return;
    auto unpacked = unpack(text.substr(start.position), start.coding);
    if (unpacked.state == StreamState::failed && unpacked.bytes.size() < kMinUnpacked) continue;
    bool followed = unpacked.state == StreamState::open && note_open_stream(start, origin);
    from = start.position + std::max<std::size_t>(unpacked.consumed, 1);
    if (!followed && unpacked.bytes.size() >= kMaxInlineUnpack) {
      scan_large_stream(text.substr(start.position), start.coding, origin.within({start.position, from}, start.coding));
      continue;
    }
    scan_layer({start.coding, {start.position, from}, std::move(unpacked.bytes), 0, Depth::all}, origin, text);
  }
}

/// It is one if it unpacks to its end, which is that of the bytes but for what the text behind them adds. What comes out counts even if not.
void TextScan::find_unmarked(std::string_view bytes, Coding coding, Origin const& origin) {
  if (origin.depth() >= kMaxDepth || budget_.exhausted()) return;
  auto unpacked = unpack(bytes, coding);
  auto const inner = origin.within({0, unpacked.consumed}, coding);
  if (unpacked.bytes.size() >= kMaxInlineUnpack) return scan_large_stream(bytes, coding, inner);
  bool const whole = unpacked.state == StreamState::ended && unpacked.consumed + kBehindUnmarked >= bytes.size();
  if (whole) return scan_layer({coding, {0, unpacked.consumed}, std::move(unpacked.bytes), 0, Depth::all}, origin, bytes);
  if (!budget_.spend(kUnpackAttempt + unpacked.bytes.size())) log_.add(decode_limit_at(origin.base), {});
}

/// A stream deep inside, too large to be unpacked in one piece: block by block, as far as this text goes.
void TextScan::scan_large_stream(std::string_view text, Coding coding, Origin inner) {
  PackedStream stream({rules_, known_, budget_, log_}, {.coding = coding}, std::move(inner));
  stream.feed(text);
  stream.finish();
}

/// A stream at depth 0, or in base 64 at depth 0, can be followed beyond this text; whether this is one.
bool TextScan::note_open_stream(PackedStart const& start, Origin const& origin) {
  if (origin.depth() == 0) {
    open_streams_.push_back({.coding = start.coding, .position = start.position});
    return true;
  }
  if (origin.depth() != 1 || origin.codings[0] != Coding::base64 || base64_source_.size() == 0) return false;
  open_streams_.push_back({start.coding, base64_source_.begin, true, base64_skip_, start.position});
  return true;
}

}  // namespace sallyport::dlp
