#include "detector_cases.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp::test {

Scanner::Setup const& builtin_setup() {
  static Scanner::Setup const setup{RuleSet::builtin(), nullptr, "salt of the tests"};
  return setup;
}

std::optional<Finding> finding_of(std::string_view detector, std::string_view text, Scanner::Setup const& setup) {
  auto findings = scan_message(setup, text);
  auto found = std::find_if(findings.begin(), findings.end(), [&](Finding const& f) { return f.detector == detector; });
  if (found == findings.end()) return std::nullopt;
  return *found;
}

std::string example(std::string_view text, std::uint64_t seed) {
  auto expanded = expand_example(text, seed);
  EXPECT_TRUE(expanded.has_value()) << text;
  return expanded ? *expanded : std::string();
}

void expect_examples_hold(std::span<Detector const> table) {
  ASSERT_FALSE(table.empty());
  for (auto const& detector : table) {
    SCOPED_TRACE(std::string(detector.id));
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      auto secret = example(detector.example, seed);
      EXPECT_TRUE(finding_of(detector.id, secret)) << "alone, seed " << seed;
      EXPECT_TRUE(finding_of(detector.id, "{\"note\": \"" + secret + "\", \"n\": 1}\n")) << "in JSON, seed " << seed;
      EXPECT_TRUE(finding_of(detector.id, std::string(5000, ' ') + secret + std::string(5000, '\n'))) << "seed " << seed;
      auto near = finding_of(detector.id, "x " + example(detector.near_miss, seed) + " y");
      EXPECT_TRUE(!near || near->certainty == Certainty::look_alike) << "near miss, seed " << seed;
    }
  }
}

}  // namespace sallyport::dlp::test
