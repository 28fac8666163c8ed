#include "cli/dlp_allow.hpp"

#include "policies/yaml_loader.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace sallyport::cli {
namespace {

using testing::HasSubstr;
using namespace std::chrono;

constexpr char kDigest[] = "0123456789abcdef0123456789abcdef";
constexpr sys_days kToday = year(2027) / 1 / 15;

std::string record(std::uint64_t seq, std::string const& detector, std::string const& place = "body") {
  return R"({"seq":)" + std::to_string(seq) +
         R"(,"time":"2027-01-15T00:00:00.000000Z","session":"s","type":"dlp.finding","id":1,"host":"a.example",)" +
         R"("detector":")" + detector + R"(","place":")" + place + R"(","digest":")" + kDigest + "\"}\n";
}

class DlpAllow : public testing::Test {
 protected:
  DlpAllow() {
    std::ofstream(log_) << R"({"seq":1,"time":"2027-01-15T00:00:00.000000Z","session":"s","type":"session.start"})"
                        << "\n"
                        << record(2, "jwt") << record(3, "canary") << record(4, "jwt", "dns");
  }
  struct Printed {
    int status;
    std::string out;
    std::string err;
  };
  Printed allow(DlpAllowOptions options) {
    options.from = log_;
    ConsoleCapture capture;
    auto const status = allow_finding(capture.console(), options, kToday);
    return {status, capture.out(), capture.err()};
  }
  std::string text() const {
    std::ifstream file(policy_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<policies::DlpException> exceptions() const {
    auto const policy = policies::load_policy({SALLYPORT_PRESETS, "", {policy_}, {}});
    EXPECT_TRUE(policy) << policy.error().what;
    return policy ? (*policy)->dlp.allow : std::vector<policies::DlpException>{};
  }

  test::TempDir const directory_;
  std::string const log_ = (directory_ / "log.jsonl").string();
  std::string const policy_ = (directory_ / "exceptions.yaml").string();
};

TEST_F(DlpAllow, WritesAPolicyFileAndAddsToIt) {
  EXPECT_EQ(allow({"", 2, "2027-02-01", policy_}).status, 0);
  std::ofstream(policy_, std::ios::app) << "    # kept\n";
  EXPECT_EQ(allow({"", 4, "", policy_}).status, 0);
  auto const written = exceptions();
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0].host, "a.example");
  EXPECT_EQ(written[0].detector, "jwt");
  EXPECT_EQ(written[0].digest, kDigest);
  EXPECT_EQ(written[0].until, "2027-02-01");
  EXPECT_EQ(written[1].host, "**.a.example") << "of a name only the domain is on record";
  EXPECT_EQ(written[1].until, "2027-02-14") << "30 days";
  EXPECT_THAT(text(), HasSubstr("# kept"));
}

TEST_F(DlpAllow, PrintsAPolicyWithoutAFile) {
  auto const printed = allow({"", 2, "", ""});
  EXPECT_EQ(printed.status, 0);
  EXPECT_THAT(printed.out, HasSubstr("version: 1\n"));
  EXPECT_THAT(printed.out, HasSubstr(kDigest));
}

TEST_F(DlpAllow, WhatCannotBeExcusedIsAnErrorAndWritesNothing) {
  EXPECT_THAT(allow({"", 3, "", policy_}).err, HasSubstr("nothing excuses a finding of 'canary'"));
  EXPECT_THAT(allow({"", 1, "", policy_}).err, HasSubstr("not a dlp.finding"));
  EXPECT_THAT(allow({"", 9, "", policy_}).err, HasSubstr("has no record 9"));
  EXPECT_THAT(allow({"", 2, "2027-01-14", policy_}).err, HasSubstr("is over"));
  EXPECT_THAT(allow({"", 2, "soon", policy_}).err, HasSubstr("not a day"));
  EXPECT_FALSE(std::filesystem::exists(policy_));
}

TEST_F(DlpAllow, RecordThatNoSessionWroteAddsNothingElse) {
  std::ofstream(log_, std::ios::app)
      << R"({"seq":5,"time":"2027-01-15T00:00:00.000000Z","session":"s","type":"dlp.finding","id":1,"host":"a.example\", detector: jwt}\n    - {host: \"b.example","detector":"jwt","place":"body","digest":")"
      << kDigest << "\"}\n";
  EXPECT_THAT(allow({"", 5, "", policy_}).err, HasSubstr("was the log written by sallyport?"));
  EXPECT_EQ(allow({"", 5, "", ""}).out, "");
  EXPECT_EQ(allow({"", 2, "", policy_}).status, 0);
  auto const before = text();
  EXPECT_EQ(allow({"", 5, "", policy_}).status, 2);
  EXPECT_EQ(text(), before);
}

TEST_F(DlpAllow, FileThatEndsInSomethingElseStaysAndTheLineIsShown) {
  for (std::string const content : {"version: 1\ndlp:\n  allow: [{host: b.example, detector: jwt}]\n",
                                    "version: 1\negress:\n  - {hosts: [b.example]}\n", "not: [a policy\n"}) {
    std::ofstream(policy_) << content;
    auto const refused = allow({"", 2, "", policy_});
    EXPECT_EQ(refused.status, 2) << content;
    EXPECT_THAT(refused.err, HasSubstr(policy_)) << content;
    EXPECT_EQ(text(), content);
  }
}

}  // namespace
}  // namespace sallyport::cli
