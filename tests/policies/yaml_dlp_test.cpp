#include "policies/yaml_dlp.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

DlpSection read(std::string const& text, Problems& problems) {
  auto const root = parse_yaml("p", text, problems);
  return root ? read_dlp(*root, problems) : DlpSection{};
}

void bad(std::string const& text, std::string_view advice) {
  Problems problems;
  read(text, problems);
  ASSERT_FALSE(problems.empty()) << text;
  EXPECT_NE(problems.front().what.find(advice), std::string::npos) << text << " gave " << problems.front().what;
}

TEST(ReadDlp, ReadsEverything) {
  Problems problems;
  auto const dlp = read(
      "{action: redact, known_values: [dotenv], detectors: {disable: [jwt]}, allow: [{host: '*.example.com', detector: jwt, until: "
      "2028-02-29}]}",
      problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(dlp.action, DlpAction::redact);
  EXPECT_EQ(dlp.known_values, std::vector{KnownSource::dotenv});
  ASSERT_EQ(dlp.disabled.size(), 1U);
  EXPECT_EQ(dlp.disabled[0].id, "jwt");
  ASSERT_EQ(dlp.allow.size(), 1U);
  EXPECT_EQ(dlp.allow[0].host, "*.example.com");
  EXPECT_EQ(dlp.allow[0].until, "2028-02-29");
}

TEST(ReadDlp, WhatIsAbsentStaysAsTheLayersBelowSay) {
  Problems problems;
  auto const dlp = read("{known_values: off}", problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(dlp.action, std::nullopt);
  EXPECT_EQ(dlp.known_values, std::vector<KnownSource>{});
}

TEST(ReadDlp, ResponsesAreReadOrNot) {
  Problems problems;
  EXPECT_EQ(read("{responses: true}", problems).responses, true);
  EXPECT_EQ(read("{responses: false}", problems).responses, false);
  EXPECT_EQ(read("{action: block}", problems).responses, std::nullopt);
  EXPECT_TRUE(problems.empty());
}

TEST(ReadDlp, RefusesWhatItCannotHonour) {
  bad("{action: stop}", "block");
  bad("{known_values: [files]}", "env");
  bad("{canaries: [dotenv]}", "files");
  bad("{known_values: []}", "known_values");
  bad("{detectors: {import: gitleaks.toml}}", "import");
  bad("{responses: perhaps}", "true");
  bad("{allow: {host: a.example.com, detector: jwt}}", "must be a list");
  bad("{allow: [{host: a.example.com}]}", "a host and a detector");
  bad("{allow: [{host: '*', detector: jwt}]}", "every host");
  bad("{allow: [{host: 'a b', detector: jwt}]}", "host");
  bad("{allow: [{host: a.example.com, detector: jwt, until: 2027-02-29}]}", "not a day");
  bad("{allow: [{host: a.example.com, detector: jwt, until: soon}]}", "not a day");
  bad("{allow: [{host: a.example.com, detector: jwt, digest: 0123}]}", "no digest");
  bad("{allow: [{host: a.example.com, detector: jwt, digest: 0123456789ABCDEF0123456789abcdef}]}", "no digest");
}

TEST(ReadDlp, KnowsTheCalendar) {
  EXPECT_TRUE(is_day("2027-12-31"));
  for (auto const* text : {"2027-12-32", "2027-13-01", "2027-00-10", "27-12-31", "2027/12/31", "2027-1-1", "", "-027-12-31"}) {
    EXPECT_FALSE(is_day(text)) << text;
  }
}

}  // namespace
}  // namespace sallyport::policies
