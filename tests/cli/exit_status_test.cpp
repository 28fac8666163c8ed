#include "cli/exit_status.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>

#include <cerrno>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

jail::Broken const kLost{{Code::closed, 0, "the gateway ended"}, "gateway_lost"};

TEST(ExitStatus, IsTheOneAShellWouldShow) {
  EXPECT_EQ(exit_status(jail::Exited{0}), 0);
  EXPECT_EQ(exit_status(jail::Exited{7}), 7);
  EXPECT_EQ(exit_status(jail::Signaled{SIGTERM}), 143);
  EXPECT_EQ(exit_status(jail::TimedOut{}), 124);
  EXPECT_EQ(exit_status(kLost), 125);
  EXPECT_EQ(exit_status(jail::NotStarted{EACCES}), 126);
  EXPECT_EQ(exit_status(jail::NotStarted{ENOEXEC}), 126);
  EXPECT_EQ(exit_status(jail::NotStarted{ENOENT}), 127);
}

void ends_with(jail::ExitReport const& report, std::string const& cause, std::optional<int> code,
               std::optional<int> signal) {
  auto const end = session_end(report);
  EXPECT_EQ(end.cause, cause);
  EXPECT_EQ(end.exit_code, code) << cause;
  EXPECT_EQ(end.signal, signal) << cause;
}

TEST(ExitStatus, TheLastRecordSaysHowTheSessionEnded) {
  ends_with(jail::Exited{0}, "exited", 0, std::nullopt);
  ends_with(jail::Exited{7}, "exited", 7, std::nullopt);
  ends_with(jail::Signaled{SIGKILL}, "signaled", std::nullopt, SIGKILL);
  ends_with(jail::TimedOut{}, "timeout", std::nullopt, std::nullopt);
  ends_with(jail::NotStarted{ENOENT}, "not_started", 127, std::nullopt);
  ends_with(kLost, "gateway_lost", std::nullopt, std::nullopt);
}

TEST(ExitStatus, AProgramThatIsNotThereComesWithWhatToLookAt) {
  EXPECT_THAT(not_started_text("claude", ENOENT), HasSubstr("'claude'"));
  EXPECT_THAT(not_started_text("claude", ENOENT), HasSubstr("jail.filesystem.read"));
  EXPECT_THAT(not_started_text("./x", EACCES), HasSubstr("Permission denied"));
  EXPECT_THAT(not_started_text("./x", EACCES), Not(HasSubstr("jail.filesystem.read")));
}

}  // namespace
}  // namespace sallyport::cli
