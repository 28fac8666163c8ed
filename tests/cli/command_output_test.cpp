#include "cli/command_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

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
  pid_t pid = 0;
  {
    auto command = RunningCommand::start({"/bin/sh", "-c", "echo $$; exec sleep 100"}, 100);
    ASSERT_TRUE(command);
    EXPECT_FALSE(command->poll()) << "it runs";
    auto const moved = std::move(*command);
    std::string text(16, '\0');
    pollfd waiting{moved.descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&waiting, 1, 20'000), 1);
    ASSERT_GT(::read(moved.descriptor(), text.data(), text.size()), 0);
    pid = std::stoi(text);
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1) << "it was killed";
}

TEST(RunningCommand, ProgramThatClosesItsOutputIsWaitedFor) {
  EXPECT_EQ(command_output({"/bin/sh", "-c", "echo x; exec >&-; sleep 0.2"}, 100).value(), "x\n");
  EXPECT_THAT(error_of({"/bin/sh", "-c", "echo x; exec >&-; sleep 0.2; exit 1"}), HasSubstr("failed"));
}

}  // namespace
}  // namespace sallyport::cli
