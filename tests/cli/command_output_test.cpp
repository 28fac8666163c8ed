#include "cli/command_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sallyport::cli
