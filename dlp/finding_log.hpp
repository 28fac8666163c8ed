#pragma once
// Collects the findings of one message. One thread at a time.

#include "dlp/finding.hpp"
#include "dlp/limits.hpp"
#include "dlp/rule_set.hpp"
#include "dlp/span.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::dlp {

/// Where in the message a text comes from.
struct Origin {
  std::uint64_t base = 0;       // offset of the text's first byte, while it is not coded
  std::uint64_t length = 0;     // of the coded stretch at `base`; meaningless without codings
  std::vector<Coding> codings;  // outermost first
  int depth() const { return static_cast<int>(codings.size()); }

  /// The origin of what `coding` hides in `source` of this text.
  Origin within(Span source, Coding coding) const;
};

/// What is said of a value that stands in a message more than once.
enum class Repeats {
  first,  // where it stands first
  every,  // each place; of more than kMaxFindings a decode-limit is left
};

class FindingLog {
 public:
  explicit FindingLog(std::string salt, Repeats repeats = Repeats::first) : salt_(std::move(salt)), repeats_(repeats) {}

  void add(RuleSet const& rules, Match const& match, std::string_view text, Origin const& origin);
  /// For what no detector names: known values, canaries, limits.
  void add(Finding finding, std::string_view value);

  std::vector<Finding> take() { return std::exchange(findings_, {}); }
  bool empty() const { return findings_.empty(); }
  std::string_view salt() const { return salt_; }

 private:
  void add_repeat(Finding finding);

  std::string salt_;
  Repeats repeats_;
  std::size_t count_ = 0;
  std::set<std::pair<std::string, ValueDigest>> seen_;
  std::vector<Finding> findings_;
};

}  // namespace sallyport::dlp
