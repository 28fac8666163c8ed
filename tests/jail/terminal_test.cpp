#include "jail/terminal.hpp"

#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>
#include <utmp.h>

#include <functional>

namespace sallyport::jail {
namespace {

/// Runs `body` in the foreground of a new terminal, which is its standard input.
void on_terminal(std::function<void()> const& body) {
  int keyboard = -1, screen = -1;
  ASSERT_EQ(::openpty(&keyboard, &screen, nullptr, nullptr, nullptr), 0);
  isolated([&] {
    int const output = ::dup(STDOUT_FILENO);
    ASSERT_EQ(::login_tty(::dup(screen)), 0);
    ::dup2(output, STDOUT_FILENO);  // what a failed expectation prints
    body();
  });
  ::close(keyboard);
  ::close(screen);
}

/// A process group of its own that waits.
class OtherGroup {
 public:
  OtherGroup()
      : child_([] {
          ::pause();
          return 0;
        }) {
    EXPECT_EQ(::setpgid(child_.pid(), child_.pid()), 0);
  }
  pid_t id() const { return child_.pid(); }

 private:
  Child child_;
};

TEST(TerminalTest, IsLentAndTakenBack) {
  on_terminal([] {
    OtherGroup const command;
    Terminal terminal;
    terminal.lend_to(command.id());
    EXPECT_EQ(::tcgetpgrp(STDIN_FILENO), command.id());
    terminal.take_back();  // from the background, where tcsetpgrp() stops the caller unless it takes care
    EXPECT_EQ(::tcgetpgrp(STDIN_FILENO), ::getpgrp());
  });
}

TEST(TerminalTest, ComesBackAtTheEndOfTheScope) {
  on_terminal([] {
    OtherGroup const command;
    {
      Terminal terminal;
      terminal.lend_to(command.id());
    }
    EXPECT_EQ(::tcgetpgrp(STDIN_FILENO), ::getpgrp());
  });
}

TEST(TerminalTest, IsNotLentFromTheBackground) {
  on_terminal([] {
    OtherGroup const foreground, command;
    ::signal(SIGTTOU, SIG_IGN);
    ASSERT_EQ(::tcsetpgrp(STDIN_FILENO, foreground.id()), 0);
    {
      Terminal terminal;
      terminal.lend_to(command.id());
      EXPECT_EQ(::tcgetpgrp(STDIN_FILENO), foreground.id());
    }
    EXPECT_EQ(::tcgetpgrp(STDIN_FILENO), foreground.id());
  });
}

TEST(TerminalTest, NeedsNone) {
  isolated([] {
    int const null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(null, STDIN_FILENO);
    Terminal terminal;
    terminal.lend_to(::getpid());
    terminal.take_back();
  });
}

TEST(TerminalTest, LeavesTheSignalMaskAsItWas) {
  on_terminal([] {
    Terminal terminal;
    terminal.take_back();
    sigset_t mask;
    ASSERT_EQ(::sigprocmask(SIG_SETMASK, nullptr, &mask), 0);
    EXPECT_FALSE(sigismember(&mask, SIGTTOU));
  });
}

}  // namespace
}  // namespace sallyport::jail
