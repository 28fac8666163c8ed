// Measures the scanner on the project's own corpus, holds it to its thresholds, and prints the table that docs/dlp.md
// shows.

#include "corpus.hpp"
#include "detector_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace sallyport::dlp {
namespace {

struct Count {
  int found = 0;
  int all = 0;
  double share() const { return all == 0 ? 0 : static_cast<double>(found) / all; }
};

/// Whether a secret would be stopped or reported.
bool is_noticed(test::Sample const& sample) {
  auto findings = scan_at(test::builtin_setup(), sample.message, sample.place);
  return judge_all(findings, {sample.place, "files.example.org"}).action != Action::allow;
}

double required(std::string_view coding) {
  constexpr std::string_view kSingle[] = {"base64", "base64url", "hex", "percent", "json-u", "gzip", "zlib", "gzip-base64"};
  constexpr std::string_view kOdd[] = {"reversed",   "rot13",  "zero-width", "homoglyphs",
                                       "full-width", "base58", "base85",     "ascii85"};
  if (coding == "plain") return 0.99;
  if (std::find(std::begin(kSingle), std::end(kSingle), coding) != std::end(kSingle)) return 0.97;
  return std::find(std::begin(kOdd), std::end(kOdd), coding) != std::end(kOdd) ? 0.70 : 0.93;
}

TEST(Recall, SecretsAreNoticedInEveryCoding) {
  std::map<std::string_view, Count> codings;
  std::map<std::string_view, Count> detectors;
  test::make_secret_samples(4, [&](test::Sample const& sample) {
    bool noticed = is_noticed(sample);
    for (auto* count : {&codings[sample.kind], &detectors[sample.secret]}) {
      ++count->all;
      count->found += noticed ? 1 : 0;
    }
  });
  for (auto const& [coding, count] : codings) {
    std::printf("%-20s %6.2f %% of %d\n", std::string(coding).c_str(), 100 * count.share(), count.all);
    EXPECT_GE(count.share(), required(coding)) << coding;
  }
  for (auto const& [detector, count] : detectors) {
    if (count.share() < 0.9)
      std::printf("%-28s %6.2f %% of %d\n", std::string(detector).c_str(), 100 * count.share(), count.all);
  }
}

TEST(FalsePositives, BenignTrafficIsLeftAlone) {
  std::map<std::string_view, Count> kinds;
  Count whole;
  test::make_benign_samples(200, [&](test::Sample const& sample) {
    bool noticed = is_noticed(sample);
    for (auto const& finding : noticed ? scan_message(test::builtin_setup(), sample.message) : std::vector<Finding>()) {
      ADD_FAILURE() << finding.detector << ": " << sample.message.substr(finding.offset, finding.length);
    }
    for (auto* count : {&kinds[sample.kind], &whole}) {
      ++count->all;
      count->found += noticed ? 1 : 0;
    }
  });
  for (auto const& [kind, count] : kinds) {
    std::printf("%-20s %d of %d\n", std::string(kind).c_str(), count.found, count.all);
    EXPECT_EQ(0, count.found) << kind;
  }
  EXPECT_LE(whole.share(), 0.001);
}

}  // namespace
}  // namespace sallyport::dlp
