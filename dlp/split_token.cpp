#include "dlp/split_token.hpp"

#include "dlp/limits.hpp"
#include "dlp/plausible.hpp"

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinFirstPiece = 4;  // bytes of the token behind its literal

bool at(std::string_view text, std::size_t position, char c) { return position < text.size() && text[position] == c; }

/// A run of token bytes is a value, not the name of one: `a=RUN&`, `"RUN",`, `: RUN`, or a line of its own.
bool is_value(std::string_view text, std::size_t begin, std::size_t end) {
  bool name = at(text, end, '=') || at(text, end, ':') || (at(text, end, '"') && at(text, end + 1, ':'));
  if (name || begin < 2) return false;
  char before = text[begin - 1], before_that = text[begin - 2];
  if (before == '"' || before == '\'') return !text.substr(0, begin - 1).ends_with("name=");  // of a multipart part
  bool line_ends = end == text.size() || text[end] == '\r' || text[end] == '\n';
  if (before == ' ') return before_that == ':' && line_ends;
  return before == '=' || before == ':' || (before == '\n' && line_ends && !text.substr(begin).starts_with("--"));
}

/// The token's first piece and the values behind it, as one text. `end` is set to the end of the last piece.
std::string join_values(std::string_view text, std::size_t begin, std::size_t first_end, ByteSet const& body,
                        std::size_t& end) {
  std::string joined(text.substr(begin, first_end - begin));
  auto limit = std::min(text.size(), first_end + kSplitReach);
  for (std::size_t cursor = first_end; cursor < limit;) {
    auto run = body.run(text.substr(cursor, limit - cursor));
    if (run > 0 && is_value(text, cursor, cursor + run)) {
      joined += text.substr(cursor, run);
      end = cursor + run;
    }
    cursor += run + 1;
  }
  return joined;
}

bool is_confirmed(Detector const& detector, std::string_view token, std::size_t literal_size) {
  auto result = run_check(detector.check, token);
  if (result == CheckResult::passed) return true;
  return result == CheckResult::none && is_random(token.substr(literal_size));
}

}  // namespace

std::optional<Match> match_split(RuleSet const& rules, std::uint16_t detector_index, std::string_view text,
                                 LiteralHit hit) {
  auto const& detector = rules.detectors()[detector_index];
  auto literal_size = rules.plain().literals()[hit.literal].text.size();
  bool splittable =
      detector.tier == Tier::token && detector.lead.max == 0 && detector.edge != Edge::strict && literal_size >= 4;
  if (!splittable) return std::nullopt;
  auto behind = hit.position + literal_size;
  auto first_end = behind + detector.body.run(text.substr(behind, detector.reach));
  if (first_end - behind < kMinFirstPiece || first_end >= text.size()) return std::nullopt;

  auto end = first_end;
  auto joined = join_values(text, hit.position, first_end, detector.body, end);
  if (end == first_end) return std::nullopt;
  auto found = rules.pattern(detector_index).match_at_start(joined);
  if (!found) return std::nullopt;
  auto token = std::string_view(joined).substr(found->secret.begin, found->secret.end - found->secret.begin);
  if (!is_confirmed(detector, token, literal_size)) return std::nullopt;
  return Match{detector_index, Certainty::shaped, hit.position, end, {hit.position, end}, std::string(token)};
}

}  // namespace sallyport::dlp
