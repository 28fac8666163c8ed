#include "cli/dlp_scan.hpp"

#include "dlp/example.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace sallyport::cli {
namespace {

std::string token() { return *dlp::expand_example("ghp_<b62*30><crc62>", 1); }

struct Run {
  int status = 0;
  std::string out;
};

Run run(DlpScanOptions const& options, std::string const& text = {}) {
  ConsoleCapture capture;
  std::istringstream input(text);
  int status = scan_files(capture.console(), *dlp_setup(capture.console(), options.rules), options, input);
  return {status, capture.out()};
}

TEST(DlpScan, ReadsStandardInputAndNamesLineAndColumn) {
  auto found = run({}, "one\ntwo\n  t=" + token() + "\n");
  EXPECT_EQ(1, found.status);
  EXPECT_EQ("-:3:5: github-pat (critical, verified, 40 bytes)\n", found.out);
  EXPECT_EQ(0, run({}, "nothing here\n").status);
}

TEST(DlpScan, ReadsDirectoriesAndReportsWhatCannotBeRead) {
  test::TempDir dir;
  test::write_file(dir / "a.txt", token());
  test::write_file(dir / "b.txt", "clean");
  DlpScanOptions options;
  options.paths = {dir.path().string()};
  auto found = run(options);
  EXPECT_EQ(1, found.status);
  EXPECT_NE(std::string::npos, found.out.find("a.txt:1:1: github-pat"));
  options.paths.push_back((dir / "missing").string());
  EXPECT_EQ(2, run(options).status);
}

TEST(DlpScan, ReadsValuesTogetherAndReportsWhatTheyShowOnce) {
  auto const whole = token();
  EXPECT_EQ("-:1:3: github-pat (critical, verified, 40 bytes)\n", run({}, "t=" + whole + "\n").out);
  EXPECT_EQ(1, run({}, "a=" + whole.substr(0, 2) + "&b=" + whole.substr(2) + "\n").status) << "the cut is within the prefix";
}

TEST(DlpScan, DisabledDetectorFindsNothingAndUnknownIsAnError) {
  DlpScanOptions options;
  options.rules.disabled = {"github-pat"};
  EXPECT_EQ(0, run(options, "x " + token()).status);
  EXPECT_FALSE(dlp_setup(ConsoleCapture().console(), {{"no-such"}, {}}));
}

TEST(DlpScan, RulesOfAGitleaksConfigurationAreLookedForAndWhatIsLeftOutIsNamed) {
  test::TempDir dir;
  auto const config = (dir / "gitleaks.toml").string();
  test::write_file(config,
                   "[[rules]]\nid = \"acme\"\nregex = '''acme-([a-z0-9]{12})'''\nkeywords = [\"acme\"]\n"
                   "[[rules]]\nid = \"anything\"\nregex = '''[a-z]{40}'''\n");
  DlpScanOptions options;
  options.rules.configs = {config};
  EXPECT_THAT(run(options, "x: acme-4h7s9d2k5f8g\n").out, testing::HasSubstr("-:1:9: acme ("));
  ConsoleCapture capture;
  ASSERT_TRUE(dlp_setup(capture.console(), options.rules));
  EXPECT_THAT(capture.err(), testing::HasSubstr(config + ":5: anything: left out: without a keyword"));
  options.rules.configs = {(dir / "missing.toml").string()};
  EXPECT_FALSE(dlp_setup(capture.console(), options.rules));
}

}  // namespace
}  // namespace sallyport::cli
