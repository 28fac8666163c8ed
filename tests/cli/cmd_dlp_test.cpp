#include "cli/command.hpp"

#include "dlp/example.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::cli {
namespace {

/// Parses and runs `sallyport` with these arguments; -1 if they do not parse.
int run(ConsoleCapture& capture, std::vector<std::string> arguments) {
  CLI::App app("test", "sallyport");
  app.require_subcommand(1);
  Chosen chosen;
  declare_dlp(app, chosen);
  std::reverse(arguments.begin(), arguments.end());  // as CLI::App::parse takes them
  try {
    app.parse(arguments);
  } catch (CLI::ParseError const&) { return -1; }
  return chosen(capture.console());
}

TEST(CmdDlp, RunsWhatWasChosen) {
  test::TempDir dir;
  test::write_file(dir / "secret", *dlp::expand_example("npm_<b62*30><crc62>", 1));
  test::write_file(dir / "clean", "hello");
  ConsoleCapture capture;
  EXPECT_EQ(1, run(capture, {"dlp", "scan", (dir / "secret").string()}));
  EXPECT_EQ(0, run(capture, {"dlp", "scan", (dir / "clean").string(), "--json"}));
  EXPECT_EQ(0, run(capture, {"dlp", "scan", "--disable", "npm", "--sarif", (dir / "clean").string()}));
  EXPECT_EQ(0, run(capture, {"dlp", "detectors", "--json"}));
}

TEST(CmdDlp, RefusesWhatDoesNotGoTogether) {
  ConsoleCapture capture;
  EXPECT_EQ(-1, run(capture, {"dlp"}));
  EXPECT_EQ(-1, run(capture, {"dlp", "scan", "--json", "--sarif"}));
  EXPECT_EQ(-1, run(capture, {"dlp", "scan", "--jsonl", "file"}));
  EXPECT_EQ(2, run(capture, {"dlp", "scan", "--disable", "no-such-detector", "file"}));
}

}  // namespace
}  // namespace sallyport::cli
