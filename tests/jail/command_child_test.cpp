#include "jail/command_child.hpp"

#include "tests/jail/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>

namespace sallyport::jail {
namespace {

using ::testing::HasSubstr;

class CommandChild : public ::testing::Test {
 protected:
  /// What a shell in the jail prints.
  std::string output_of(std::string const& script) const {
    auto const ran = run(place_.plan({"/bin/sh", "-c", "{ " + script + "; } >out 2>&1"}));
    EXPECT_TRUE(WIFEXITED(ran.status)) << script;
    return test::read_file(place_.workspace() + "/out");
  }
  void fails(std::string const& program, int error, int code) const {
    auto const ran = run(place_.plan({program}));
    EXPECT_EQ(ran.exec_error, error) << program;
    EXPECT_EQ(WEXITSTATUS(ran.status), code) << program;
  }

  Workplace place_;
};

TEST_F(CommandChild, GivesUpEverything) {
  auto const status = output_of("cat /proc/self/status");
  for (auto set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_THAT(status, HasSubstr(std::string(set) + ":\t0000000000000000\n"));
  EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1\n"));
  EXPECT_THAT(status, HasSubstr("Seccomp:\t2\n"));
}

TEST_F(CommandChild, KeepsTheThreeStandardDescriptorsOnly) {
  EXPECT_EQ(output_of("ls /proc/self/fd"), "0\n1\n2\n3\n");  // 3 is the directory that ls reads
}

TEST_F(CommandChild, LeadsAProcessGroupOfItsOwn) {
  EXPECT_EQ(output_of("test $(ps -o pgid= -p $$) = $$ && echo yes"), "yes\n");
}

TEST_F(CommandChild, RunsInItsWorkingDirectory) { EXPECT_EQ(output_of("pwd"), place_.workspace() + "\n"); }

/// cp shows its own status; a shell would set the mask itself.
TEST_F(CommandChild, GetsTheSignalMaskOfTheCaller) {
  auto const plan = place_.plan({"/bin/cp", "/proc/self/status", "status"});
  LaunchOptions options;
  sigaddset(&options.signal_mask, SIGUSR1);
  run(plan, options);
  EXPECT_THAT(test::read_file(place_.workspace() + "/status"), HasSubstr("SigBlk:\t0000000000000200\n"));
}

TEST_F(CommandChild, SearchesThePathInOrder) {
  auto plan = place_.plan({"sh", "-c", "exit 3"});
  plan.candidates = {"/absent/sh", "/etc/passwd/sh", "/bin/sh"};
  auto const ran = run(plan);
  EXPECT_FALSE(ran.exec_error);
  EXPECT_EQ(WEXITSTATUS(ran.status), 3);
}

TEST_F(CommandChild, RunsAScriptWithoutAnInterpreterLineAsAShellDoes) {
  auto const script = place_.add("script", "test \"$1\" = \"a b\" && exit 5\n");
  auto const ran = run(place_.plan({script, "a b"}));
  EXPECT_FALSE(ran.exec_error);
  EXPECT_EQ(WEXITSTATUS(ran.status), 5);
}

TEST_F(CommandChild, SaysWhyTheCommandCouldNotRun) {
  auto const plain = place_.add("plain", "text");
  std::filesystem::permissions(plain, std::filesystem::perms(0644));
  fails("/absent/program", ENOENT, 127);
  fails(plain, EACCES, 126);
  fails(place_.workspace(), EACCES, 126);
}

TEST_F(CommandChild, FailsWhereItCannotWork) {
  auto plan = place_.plan({"/bin/true"});
  plan.cwd = "/absent";
  RunningJail const jail(plan);
  auto const handover = await_setup(jail.get(), plan);
  ASSERT_FALSE(handover);
  EXPECT_THAT(handover.error().what, HasSubstr("working directory"));
}

}  // namespace
}  // namespace sallyport::jail
