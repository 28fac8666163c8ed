#include "cli/run_session.hpp"

#include "tests/cli/console_capture.hpp"
#include "tests/jail/forked.hpp"
#include "tests/support/audit_records.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;

struct Session {
  int status = -1;
  std::string err;
};

/// Sessions in a workspace and with a home of their own, each in a process of its own.
class RunSession : public ::testing::Test {
 protected:
  RunSession() {
    std::filesystem::create_directory(directory_ / "work");
    std::filesystem::create_directory(directory_ / "home");
    test::write_file(directory_ / "policy.yaml", "version: 1\nname: test\n");
    options_.policies = {(directory_ / "policy.yaml").string()};
    options_.workspace = (directory_ / "work").string();
    options_.audit = (directory_ / "audit.jsonl").string();
  }
  /// What `check` expects of the session holds.
  void session(std::vector<std::string> command, std::function<void(Session const&)> const& check) {
    options_.command = std::move(command);
    jail::isolated([&] {
      ::setenv("HOME", home_.c_str(), 1);
      ::unsetenv("XDG_STATE_HOME");
      ConsoleCapture capture;
      Session out;
      out.status = run_session(options_, capture.console());
      out.err = capture.err();
      check(out);
    });
  }
  void is_not_set_up(std::string const& why) {
    session({"/bin/true"}, [&](Session const& s) {
      EXPECT_EQ(s.status, 125);
      EXPECT_THAT(s.err, HasSubstr("sallyport: "));
      EXPECT_THAT(s.err, HasSubstr(why));
    });
  }
  test::Records records(std::string_view type) const {
    return test::having(test::read_records(options_.audit), {{"type", type}});
  }

  test::TempDir directory_;
  RunOptions options_;
  std::string home_ = (directory_ / "home").string();
};

TEST_F(RunSession, EndsAsItsCommandEnds) {
  session({"/bin/sh", "-c", "exit 7"}, [](Session const& s) {
    EXPECT_EQ(s.status, 7);
    EXPECT_EQ(s.err, "");
  });
  auto const start = records("session.start"), end = records("session.end");
  ASSERT_EQ(start.size(), 1U);
  EXPECT_EQ(test::text_at(start.front(), "policy"), "test");
  EXPECT_EQ(test::text_at(start.front(), "workspace"), options_.workspace);
  ASSERT_EQ(end.size(), 1U);
  EXPECT_EQ(test::text_at(end.front(), "cause"), "exited");
  EXPECT_EQ(test::text_at(end.front(), "exit_code"), "7");
}

TEST_F(RunSession, SaysThatAProgramIsNotThere) {
  session({"/absent/program"}, [](Session const& s) {
    EXPECT_EQ(s.status, 127);
    EXPECT_THAT(s.err, HasSubstr("cannot execute '/absent/program' in the jail: No such file or directory"));
  });
  EXPECT_EQ(test::text_at(records("session.end").front(), "cause"), "not_started");
}

TEST_F(RunSession, EndsAtItsTimeLimit) {
  options_.timeout = std::chrono::milliseconds(200);
  session({"/bin/sleep", "60"}, [](Session const& s) { EXPECT_EQ(s.status, 124); });
  EXPECT_EQ(records("limit.hit").size(), 1U);
}

TEST_F(RunSession, NamesThePlaceOfAnErrorInThePolicy) {
  test::write_file(directory_ / "policy.yaml", "version: 1\nname: test\negres: []\n");
  is_not_set_up("policy.yaml:3:1");
}

TEST_F(RunSession, NeedsAWorkspaceThatIsADirectory) {
  options_.workspace = (directory_ / "absent").string();
  is_not_set_up("absent");
  options_.workspace = options_.policies.front();
  is_not_set_up("not a directory");
}

TEST_F(RunSession, NeedsAHomeToHide) {
  home_ = "";
  is_not_set_up("HOME");
  home_ = "/";
  is_not_set_up("HOME");
  home_ = "relative";
  is_not_set_up("HOME");
}

TEST_F(RunSession, DoesNotTakeTheHomeAsWorkspace) {
  options_.workspace = home_;
  is_not_set_up("home directory");
}

TEST_F(RunSession, RunsNothingWithoutAnAuditLog) {
  test::write_file(options_.audit, "an older log");
  auto const proof = (directory_ / "work").string() + "/proof";
  session({"/bin/sh", "-c", "touch " + proof}, [](Session const& s) { EXPECT_EQ(s.status, 125); });
  EXPECT_FALSE(std::filesystem::exists(proof));
  EXPECT_EQ(test::read_file(options_.audit), "an older log");
}

}  // namespace
}  // namespace sallyport::cli
