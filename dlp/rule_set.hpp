#pragma once
// The detectors in force, compiled: patterns, and filters for their literals. Immutable, shared by all scanners; any
// thread. A pattern is compiled when its literal is first seen, so that making a RuleSet stays cheap.

#include "base/result.hpp"
#include "dlp/detector.hpp"
#include "dlp/literal_filter.hpp"
#include "dlp/span.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace sallyport::dlp {

/// A compiled-on-first-use RE2, anchored at its start.
class LazyPattern {
 public:
  explicit LazyPattern(std::string_view text);
  ~LazyPattern();
  LazyPattern(LazyPattern const&) = delete;
  LazyPattern& operator=(LazyPattern const&) = delete;

  struct Match {
    Span whole;
    Span secret;  // group 1, or the whole
  };
  std::optional<Match> match_at_start(std::string_view text) const;
  /// Its end alone, which costs a tenth. 0 if there is no match.
  std::size_t end_at_start(std::string_view text) const;
  bool matches_anywhere(std::string_view text) const;
  /// What is wrong with the pattern; empty if nothing.
  std::string error() const;

 private:
  re2::RE2 const& compiled() const;

  std::string_view text_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<re2::RE2> compiled_;
};

/// What an imported detector asks of a secret beyond its pattern.
struct Screen {
  double min_entropy = 0;              // bits per byte
  std::vector<std::string> stopwords;  // a secret that holds one is none, whatever the case
  std::vector<std::string> allowed;    // patterns: nor is one that one of them matches anywhere
};

/// Detectors from elsewhere, with the text that they point to: to be moved, never copied.
struct ImportedDetectors {
  std::vector<Detector> detectors;
  std::vector<Screen> screens;            // one for each detector, or none at all
  std::deque<std::string> texts;          // addresses are stable
  std::vector<std::string> not_imported;  // one line each: what, and why
};

/// How a literal is hidden.
enum class Disguise { reversed, rot13 };

class RuleSet {
 public:
  struct Options {
    std::vector<std::string> disabled;  // ids
    std::vector<ImportedDetectors> imported;
  };
  /// Errors: an unknown id in `disabled`, an imported pattern or allowed pattern that RE2 refuses.
  static Result<std::shared_ptr<RuleSet const>> build(Options options);
  /// All shipped detectors.
  static std::shared_ptr<RuleSet const> builtin();

  std::vector<Detector> const& detectors() const { return detectors_; }
  LazyPattern const& pattern(std::size_t detector) const { return patterns_[detector]; }
  LiteralFilter const& plain() const { return plain_; }
  LiteralFilter const& disguised() const { return disguised_; }
  /// Indices of the detectors that a literal of plain() calls for.
  std::vector<std::uint16_t> const& owners(std::uint16_t literal) const { return owners_[literal]; }
  /// Indices of the detectors that have a `word` and no literal.
  std::vector<std::uint16_t> const& word_detectors() const { return word_detectors_; }
  /// Index of the detector of seed phrases, if it is in force.
  std::optional<std::uint16_t> phrase_detector() const { return phrase_detector_; }
  /// Whether the secret is one to an imported detector's screen; true for detectors without one.
  bool admits(std::size_t detector, std::string_view secret) const;
  Disguise disguise(std::uint16_t literal) const { return disguises_[literal]; }

  RuleSet() = default;
  RuleSet(RuleSet const&) = delete;
  RuleSet& operator=(RuleSet const&) = delete;

 private:
  struct CompiledScreen {
    double min_entropy = 0;
    std::vector<std::string> stopwords;  // in small letters
    std::deque<LazyPattern> allowed;
  };
  Result<void> take(ImportedDetectors const& import);
  void compile();

  std::vector<Detector> detectors_;
  std::deque<LazyPattern> patterns_;
  std::vector<ImportedDetectors> imported_;             // keeps the texts alive
  std::map<std::string_view, CompiledScreen> screens_;  // by the detector's id
  LiteralFilter plain_;
  LiteralFilter disguised_;
  std::vector<std::vector<std::uint16_t>> owners_;
  std::vector<Disguise> disguises_;
  std::vector<std::uint16_t> word_detectors_;
  std::optional<std::uint16_t> phrase_detector_;
};

/// Every shipped detector, in the order of their tables.
std::vector<Detector> builtin_detectors();

std::string rot13(std::string_view text);

}  // namespace sallyport::dlp
