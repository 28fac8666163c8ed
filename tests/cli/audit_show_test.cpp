#include "cli/audit_show.hpp"

#include "tests/audit/sample_log.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <algorithm>

namespace sallyport::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// One log with three requests, the second of them denied.
class AuditShowTest : public ::testing::Test {
 protected:
  AuditShowTest() : log_(audit::make_log(dir_.path(), 3)) {}

  int show(ShowOptions const& options) { return show_audit(capture_.console(), dir_.path().string(), options); }
  std::ptrdiff_t lines_out() {
    auto const out = capture_.out();
    return std::count(out.begin(), out.end(), '\n');
  }

  test::TempDir dir_;
  std::filesystem::path log_;
  ConsoleCapture capture_;
};

TEST_F(AuditShowTest, PrintsTheNewestLogAsATableWithASummary) {
  EXPECT_EQ(show({}), 0);
  EXPECT_EQ(lines_out(), 1 + 5 + 1);
  EXPECT_THAT(capture_.out(), StartsWith("TIME "));
  EXPECT_THAT(capture_.out(), HasSubstr("GET a.example:443/x?y=1"));
  EXPECT_THAT(capture_.out(), EndsWith("2 requests allowed, 1 refused, 0 commands\n"));
  EXPECT_EQ(capture_.err(), "");
}

TEST_F(AuditShowTest, PrintsTheLinesAsTheyStandForMachines) {
  ShowOptions options;
  options.json = true;
  EXPECT_EQ(show(options), 0);
  EXPECT_EQ(capture_.out(), test::read_file(log_));
}

TEST_F(AuditShowTest, PrintsOnlyWhatWasRefusedWhenAsked) {
  ShowOptions options;
  options.denied = true;
  EXPECT_EQ(show(options), 0);
  EXPECT_EQ(lines_out(), 1 + 1 + 1);
  EXPECT_THAT(capture_.out(), HasSubstr("no_rule"));
  EXPECT_THAT(capture_.out(), HasSubstr("2 requests allowed, 1 refused"));
}

TEST_F(AuditShowTest, PrintsOnlyTheTypesThatAreAskedFor) {
  ShowOptions options;
  options.types = {"session", "egress.tunnel"};
  EXPECT_EQ(show(options), 0);
  EXPECT_EQ(lines_out(), 1 + 2 + 1);
  EXPECT_THAT(capture_.out(), HasSubstr("session.start"));
  EXPECT_THAT(capture_.out(), HasSubstr("session.end"));
}

TEST_F(AuditShowTest, TakesAFileOrASession) {
  ShowOptions by_file;
  by_file.file = log_.string();
  EXPECT_EQ(show(by_file), 0);
  ShowOptions by_session;
  by_session.session = "2026";
  EXPECT_EQ(show(by_session), 0);
  by_session.session = "2025";
  EXPECT_EQ(show(by_session), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("no session 2025"));
}

TEST_F(AuditShowTest, SkipsLinesThatAreNoRecordsAndSaysSo) {
  auto lines = audit::lines_of(log_);
  lines[2] = "\x1b[2J";
  audit::write_lines(log_, lines);
  EXPECT_EQ(show({}), 0);
  EXPECT_THAT(capture_.err(), HasSubstr("line 3: not an audit record"));
  EXPECT_THAT(capture_.out() + capture_.err(), Not(HasSubstr("\x1b")));
}

TEST_F(AuditShowTest, FailsWhereThereIsNothingToRead) {
  ShowOptions options;
  options.file = (dir_ / "none").string();
  EXPECT_EQ(show(options), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("No such file"));
  EXPECT_EQ(show_audit(capture_.console(), (dir_ / "empty").string(), {}), 2);
}

TEST_F(AuditShowTest, ListsEverySession) {
  audit::make_log(dir_.path(), 1, "20250101T000000Z-cccccccc");
  EXPECT_EQ(list_audit(capture_.console(), dir_.path().string(), Output::table), 0);
  EXPECT_EQ(lines_out(), 2);
  EXPECT_LT(capture_.out().find("20250101"), capture_.out().find("20261127"));
  EXPECT_THAT(capture_.out(), EndsWith("2 requests allowed, 1 refused, 0 commands\n"));
}

TEST_F(AuditShowTest, ListsForMachinesToo) {
  test::write_file(dir_ / "broken.jsonl", "garbage\n");
  EXPECT_EQ(list_audit(capture_.console(), dir_.path().string(), Output::json), 0);
  auto const out = capture_.out();
  auto const first = boost::json::parse(out.substr(0, out.find('\n'))).as_object();
  EXPECT_EQ(first.at("records").to_number<int>(), 5);
  EXPECT_EQ(first.at("requests_denied").to_number<int>(), 1);
  auto const second = boost::json::parse(out.substr(out.find('\n') + 1)).as_object();
  EXPECT_EQ(second.at("bad_lines").to_number<int>(), 1);
}

}  // namespace
}  // namespace sallyport::cli
