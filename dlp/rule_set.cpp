#include "dlp/rule_set.hpp"

#include "base/ascii.hpp"
#include "base/check.hpp"
#include "dlp/limits.hpp"
#include "dlp/plausible.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace sallyport::dlp {
namespace {

re2::RE2::Options pattern_options() {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes, not characters
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemory);
  return options;
}

/// Literals that are looked for reversed and in rot13: those of tokens and structures, which need no words around them.
/// What is hardly letters, like "://", stands in every text; three bytes stand in many.
bool can_be_disguised(Detector const& detector, std::string_view literal) {
  auto const letters = std::count_if(literal.begin(), literal.end(), [](char c) { return kLetters.contains(c); });
  bool const stands_alone = detector.tier == Tier::token || (detector.tier == Tier::structural && letters >= 3);
  return stands_alone && letters > 0 && literal.size() >= 4 && detector.letter_case == Case::exact;
}

}  // namespace

LazyPattern::LazyPattern(std::string_view text) : text_(text) {}
LazyPattern::~LazyPattern() = default;

re2::RE2 const& LazyPattern::compiled() const {
  std::call_once(once_, [this] {
    compiled_ = std::make_unique<re2::RE2>(re2::StringPiece(text_.data(), text_.size()), pattern_options());
  });
  return *compiled_;
}

std::string LazyPattern::error() const { return compiled().ok() ? std::string() : compiled().error(); }

std::optional<LazyPattern::Match> LazyPattern::match_at_start(std::string_view text) const {
  auto const& pattern = compiled();
  check(pattern.ok(), "a pattern in force compiles");
  re2::StringPiece groups[2];
  int count = std::min(pattern.NumberOfCapturingGroups() + 1, 2);
  re2::StringPiece piece(text.data(), text.size());
  if (!pattern.Match(piece, 0, text.size(), re2::RE2::ANCHOR_START, groups, count)) return std::nullopt;
  auto span_of = [&](re2::StringPiece const& group) {
    auto begin = static_cast<std::size_t>(group.data() - text.data());
    return Span{begin, begin + group.size()};
  };
  bool grouped = count == 2 && groups[1].data() != nullptr;
  return Match{span_of(groups[0]), span_of(groups[grouped ? 1 : 0])};
}

std::size_t LazyPattern::end_at_start(std::string_view text) const {
  auto const& pattern = compiled();
  check(pattern.ok(), "a pattern in force compiles");
  re2::StringPiece whole;
  bool const found = pattern.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), re2::RE2::ANCHOR_START, &whole, 1);
  return found ? whole.size() : 0;
}

bool LazyPattern::matches_anywhere(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled());
}

std::string rot13(std::string_view text) {
  std::string turned(text);
  for (char& c : turned) {
    char first = c >= 'a' && c <= 'z' ? 'a' : 'A';
    if (kLetters.contains(c)) c = static_cast<char>(first + (c - first + 13) % 26);
  }
  return turned;
}

std::vector<Detector> builtin_detectors() {
  constexpr std::array kTables = {code_host_detectors, registry_detectors, cloud_detectors,
                                  platform_detectors,  ai_detectors,       payment_and_chat_detectors,
                                  saas_detectors,      key_detectors,      context_detectors};
  std::vector<Detector> all;
  for (auto const& table : kTables) all.insert(all.end(), table().begin(), table().end());
  return all;
}

Result<std::shared_ptr<RuleSet const>> RuleSet::build(Options options) {
  auto rules = std::make_shared<RuleSet>();
  rules->detectors_ = builtin_detectors();
  rules->imported_ = std::move(options.imported);
  for (auto const& import : rules->imported_) {
    if (auto taken = rules->take(import); !taken) return taken.error();
  }
  for (auto const& id : options.disabled) {
    if (std::erase_if(rules->detectors_, [&](Detector const& d) { return d.id == id; }) == 0) {
      return Error{Code::invalid, 0, "no detector is called \"" + id + "\"; see: sallyport dlp detectors"};
    }
  }
  rules->compile();
  return std::shared_ptr<RuleSet const>(std::move(rules));
}

std::shared_ptr<RuleSet const> RuleSet::builtin() {
  auto rules = std::make_shared<RuleSet>();
  rules->detectors_ = builtin_detectors();
  rules->compile();
  return rules;
}

Result<void> RuleSet::take(ImportedDetectors const& import) {
  auto const wrong = [](Detector const& detector, std::string const& why) {
    return Error{Code::invalid, 0, "detector " + std::string(detector.id) + ": " + why};
  };
  for (std::size_t i = 0; i < import.detectors.size(); ++i) {
    auto const& detector = import.detectors[i];
    if (auto error = LazyPattern(detector.pattern).error(); !error.empty()) return wrong(detector, error);
    detectors_.push_back(detector);
    if (i >= import.screens.size()) continue;
    auto const& screen = import.screens[i];
    auto& compiled = screens_[detector.id];
    compiled.min_entropy = screen.min_entropy;
    for (auto const& word : screen.stopwords) compiled.stopwords.push_back(lower_case(word));
    for (auto const& pattern : screen.allowed) {
      if (auto error = compiled.allowed.emplace_back(pattern).error(); !error.empty()) return wrong(detector, error);
    }
  }
  return {};
}

bool RuleSet::admits(std::size_t detector, std::string_view secret) const {
  auto const found = screens_.find(detectors_[detector].id);
  if (found == screens_.end()) return true;
  auto const& [min_entropy, stopwords, allowed] = found->second;
  if (entropy(secret) < min_entropy) return false;
  auto const lowered = lower_case(secret);
  auto const stops = [&](std::string const& word) { return lowered.find(word) != std::string::npos; };
  return std::none_of(stopwords.begin(), stopwords.end(), stops) &&
         std::none_of(allowed.begin(), allowed.end(),
                      [&](LazyPattern const& each) { return each.matches_anywhere(secret); });
}

void RuleSet::compile() {
  std::map<std::pair<std::string, Case>, std::vector<std::uint16_t>> plain;
  std::map<std::string, Disguise> disguised;
  for (std::size_t i = 0; i < detectors_.size(); ++i) {
    patterns_.emplace_back(detectors_[i].pattern);
    if (detectors_[i].check == Check::seed_phrase) phrase_detector_ = static_cast<std::uint16_t>(i);
    if (detectors_[i].word.max > 0) word_detectors_.push_back(static_cast<std::uint16_t>(i));
    for (auto literal : detectors_[i].literals) {
      if (literal.empty()) continue;
      plain[{std::string(literal), detectors_[i].letter_case}].push_back(static_cast<std::uint16_t>(i));
      if (!can_be_disguised(detectors_[i], literal)) continue;
      disguised.emplace(std::string(literal.rbegin(), literal.rend()), Disguise::reversed);
      disguised.emplace(rot13(literal), Disguise::rot13);
    }
  }
  std::vector<Literal> literals;
  for (auto& [key, owners] : plain) {
    literals.push_back({key.first, key.second});
    owners_.push_back(std::move(owners));
  }
  plain_ = LiteralFilter::build(std::move(literals));
  literals.clear();
  for (auto const& [text, disguise] : disguised) {
    literals.push_back({text, Case::exact});
    disguises_.push_back(disguise);
  }
  disguised_ = LiteralFilter::build(std::move(literals));
}

}  // namespace sallyport::dlp
