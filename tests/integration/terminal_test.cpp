// A session at a terminal, and signals: what a person or a process manager does to `sallyport run` happens to the command.

#include "tests/support/host_state.hpp"
#include "tests/support/pty_process.hpp"
#include "tests/support/run_in_jail.hpp"

#include <gmock/gmock.h>
#include <csignal>
#include <string>

namespace sallyport::test {
namespace {

using testing::HasSubstr;

TEST(Terminal, IsTheCommandsTerminal) {
  Jail jail;
  PtyProcess session(
      jail.command({}, {"sh", "-c", "test -t 0 && test -t 1 && test -t 2 && stty size && echo x > /dev/tty"}));
  EXPECT_EQ(session.wait(10s), 0) << session.screen();
  EXPECT_THAT(session.screen(), HasSubstr("24 80\r\nx\r\n"));
}

TEST(Terminal, KeysArriveAndControlCInterrupts) {
  Jail jail;
  PtyProcess session(jail.command(
      {}, {"sh", "-c", "trap 'echo interrupted; exit 3' INT; read line; echo \"read $line\"; sleep 60 & wait"}));
  session.type("hello\n");
  ASSERT_TRUE(session.wait_for("read hello", 10s)) << session.screen();
  session.type("\x03");
  EXPECT_EQ(session.wait(10s), 3) << session.screen();
  EXPECT_THAT(session.screen(), HasSubstr("interrupted"));
}

TEST(Terminal, ControlCOfACommandThatDoesNotCatchItIs130) {
  Jail jail;
  PtyProcess session(jail.command({}, {"sh", "-c", "echo ready; exec sleep 60"}));
  ASSERT_TRUE(session.wait_for("ready", 10s)) << session.screen();
  session.type("\x03");
  EXPECT_EQ(session.wait(10s), 130) << session.screen();
}

TEST(Terminal, ResizeIsSeenInside) {
  Jail jail;
  PtyProcess session(jail.command({}, {"bash", "-c", "trap 'stty size; exit 0' WINCH; echo ready; sleep 60 & wait"}));
  ASSERT_TRUE(session.wait_for("ready", 10s)) << session.screen();
  session.resize(50, 132);
  EXPECT_TRUE(session.wait_for("50 132", 10s)) << session.screen();
}

TEST(Terminal, BelongsToTheCallerAgainAfterwards) {
  Jail jail;
  auto const inner = jail.command({}, {"true"});
  std::string line;
  for (auto const& word : inner.argv) line += "'" + word + "' ";
  auto outer = inner;
  outer.argv = {"/bin/sh", "-c", line + "; stty size && read answer && echo \"got $answer\""};
  PtyProcess session(outer);
  ASSERT_TRUE(session.wait_for("24 80", 10s)) << session.screen();
  session.type("yes\n");
  EXPECT_EQ(session.wait(10s), 0) << session.screen();
  EXPECT_THAT(session.screen(), HasSubstr("got yes"));
}

TEST(Signals, AreForwardedToTheCommand) {
  Jail jail;
  for (auto const& [number, name] :
       {std::pair{SIGTERM, "TERM"}, {SIGINT, "INT"}, {SIGHUP, "HUP"}, {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"}}) {
    SCOPED_TRACE(name);
    auto const script = "trap 'echo caught; exit 9' " + std::string(name) + "; echo ready; sleep 60 & wait";
    Process session(jail.command({}, {"sh", "-c", script}));
    ASSERT_TRUE(session.wait_for_output("ready", 10s));
    session.send_signal(number);
    auto const outcome = session.wait();
    EXPECT_EQ(outcome.exit_code, 9) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("caught"));
  }
}

TEST(Signals, ThatEndTheCommandAreItsExitCode) {
  Jail jail;
  Process session(jail.command({}, {"sh", "-c", "echo ready; exec sleep 60"}));
  ASSERT_TRUE(session.wait_for_output("ready", 10s));
  session.send_signal(SIGTERM);
  EXPECT_EQ(session.wait().exit_code, 143);
}

TEST(Signals, IgnoredByTheCallerStayIgnored) {
  Jail jail;
  auto const inner = jail.command({}, {"sh", "-c", "kill -HUP $$; echo survived"});
  auto outer = inner;
  outer.argv = {"sh", "-c", "trap '' HUP; exec \"$@\"", "sh"};
  outer.argv.insert(outer.argv.end(), inner.argv.begin(), inner.argv.end());
  EXPECT_EQ(run_command(outer).out, "survived\n");
}

}  // namespace
}  // namespace sallyport::test
