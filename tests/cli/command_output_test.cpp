#include "cli/command_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

namespace sallyport::cli {
namespace {

using testing::HasSubstr;

std::string error_of(std::vector<std::string> const& argv, std::size_t max_bytes = 100) {
  auto const output = command_output(argv, max_bytes);
  return output ? "no error" : output.error().what;
}

TEST(CommandOutput, IsWhatTheProgramPrints) {
  EXPECT_EQ(command_output({"/bin/echo", "a b", "$HOME"}, 100).value(), "a b $HOME\n") << "no shell looks at it";
  EXPECT_EQ(command_output({"/bin/cat"}, 100).value(), "") << "there is no standard input";
}

TEST(CommandOutput, FailuresAreErrors) {
  EXPECT_THAT(error_of({"/nonexistent/program"}), HasSubstr("/nonexistent/program"));
  EXPECT_THAT(error_of({"/bin/sh", "-c", "echo x; exit 3"}), HasSubstr("failed"));
  EXPECT_THAT(error_of({"/bin/sh", "-c", "kill -9 $$"}), HasSubstr("failed"));
  EXPECT_THAT(error_of({"/usr/bin/yes"}, 1000), HasSubstr("more than"));
}

TEST(RunningCommand, IsAskedWithoutWaitingAndGoesWithWhoeverAsks) {
  auto const file = testing::TempDir() + "running_command_test." + std::to_string(::getpid());
  pid_t pid = 0;
  {
    auto command = RunningCommand::start({"/bin/sh", "-c", "echo $$ > " + file + "; exec sleep 100"}, 100);
    ASSERT_TRUE(command);
    auto moved = std::move(*command);
    for (int i = 0; i < 20'000 && pid == 0; ++i) {
      EXPECT_FALSE(moved.poll()) << "it runs";
      std::ifstream(file) >> pid;
      ::poll(nullptr, 0, 1);
    }
    ASSERT_NE(pid, 0);
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1) << "it was killed";
  std::filesystem::remove(file);
}

TEST(RunningCommand, ProgramThatClosesItsOutputIsWaitedFor) {
  EXPECT_EQ(command_output({"/bin/sh", "-c", "echo x; exec >&-; sleep 0.2"}, 100).value(), "x\n");
  EXPECT_THAT(error_of({"/bin/sh", "-c", "echo x; exec >&-; sleep 0.2; exit 1"}), HasSubstr("failed"));
}

}  // namespace
}  // namespace sallyport::cli
