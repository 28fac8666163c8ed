#include "cli/command.hpp"

#include "tests/audit/sample_log.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;

/// Parses and runs `sallyport` with these arguments; -1 if they do not parse.
int run(ConsoleCapture& capture, std::vector<std::string> arguments) {
  CLI::App app("test", "sallyport");
  app.require_subcommand(1);
  Chosen chosen;
  declare_audit(app, chosen);
  std::reverse(arguments.begin(), arguments.end());  // as CLI::App::parse takes them
  try {
    app.parse(arguments);
  } catch (CLI::ParseError const&) { return -1; }
  return chosen(capture.console());
}

TEST(CmdAudit, RunsWhatWasChosen) {
  test::TempDir dir;
  auto const log = audit::make_log(dir.path(), 3).string();
  auto const key = (dir / "key/audit.key").string();
  ConsoleCapture capture;
  EXPECT_EQ(run(capture, {"audit", "verify", "--key", key, log}), 0);
  EXPECT_EQ(run(capture, {"audit", "verify", log, log, "--key", key, "--live", "--json"}), 0);
  EXPECT_EQ(run(capture, {"audit", "show", log}), 0);
  EXPECT_EQ(run(capture, {"audit", "show", "--type", "session", "--type", "dns.query", "--denied", log}), 0);
  EXPECT_THAT(capture.out(), HasSubstr("2 requests allowed, 1 refused"));
  EXPECT_EQ(run(capture, {"audit", "show", log + ".none"}), 2);
}

TEST(CmdAudit, RefusesWhatItDoesNotKnow) {
  ConsoleCapture capture;
  EXPECT_EQ(run(capture, {"audit"}), -1);
  EXPECT_EQ(run(capture, {"audit", "forge"}), -1);
  EXPECT_EQ(run(capture, {"audit", "show", "--colour"}), -1);
  EXPECT_EQ(run(capture, {"audit", "show", "--session", "2026", "file"}), -1);
  EXPECT_EQ(run(capture, {"audit", "verify", "--key"}), -1);
}

}  // namespace
}  // namespace sallyport::cli
