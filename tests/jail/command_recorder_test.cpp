#include "jail/command_recorder.hpp"

#include "base/limits.hpp"
#include "tests/jail/exec_call.hpp"
#include "tests/jail/forked.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/epoll.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::optional<pid_t> no_parent(pid_t) { return std::nullopt; }

/// A child that waits before it executes, as it does while its notification is open.
class Executing {
 public:
  explicit Executing(std::function<int()> body)
      : child_([&] {
          go_.pass();
          return body();
        }) {}
  Child& child() { return child_; }
  /// Returns when it runs another program or has ended.
  void go() {
    go_.open();
    executed_.close_writer();
    executed_.pass();
  }

 private:
  Gate go_, executed_;
  Child child_;
};

class CommandRecorderTest : public ::testing::Test {
 protected:
  void about_to_execute(pid_t pid, ExecCall const& call) {
    auto process = ProcDirectory::open(pid);
    ASSERT_TRUE(process);
    auto request = read_exec_request(call.execve_by(pid), *process);
    ASSERT_TRUE(request);
    auto const status = process->status();
    ASSERT_TRUE(status);
    ASSERT_TRUE(recorder_.about_to_execute(*status, *std::move(process), *std::move(request)));
  }
  /// An exec has closed its descriptors a moment before its arguments are in /proc: then it is looked at again, as in the product.
  void settle_until_recorded() {
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (records().empty() && std::chrono::steady_clock::now() < deadline) {
      ASSERT_TRUE(recorder_.settle());
      std::this_thread::yield();
    }
  }
  std::vector<audit::CommandExec> records() const { return sink_.all<audit::CommandExec>(); }

  MemorySink sink_;
  FakeClock clock_;
  CommandTable table_{no_parent};
  ExitWatch exits_{*UniqueFd::adopt(::epoll_create1(EPOLL_CLOEXEC), "epoll"), sink_, clock_, table_};
  CommandRecorder recorder_{sink_, clock_, table_, exits_};
};

TEST_F(CommandRecorderTest, RecordsAVerifiedCommandOnceItRuns) {
  ExecCall const call("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  about_to_execute(command.child().pid(), call);
  ASSERT_TRUE(recorder_.settle());
  EXPECT_THAT(records(), IsEmpty());  // nothing has run yet
  EXPECT_TRUE(recorder_.next_look());
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  auto const record = records().front();
  EXPECT_TRUE(record.verified) << record.mismatch;
  EXPECT_EQ(record.mismatch, "");
  EXPECT_EQ(record.exe, fs::canonical("/bin/sleep"));
  EXPECT_THAT(record.argv, ElementsAre("sleep", "60"));
  EXPECT_EQ(record.pid, command.child().pid());
  EXPECT_EQ(record.ppid, ::getpid());
  EXPECT_EQ(record.uid, ::getuid());
  EXPECT_EQ(record.cwd, fs::current_path());
  EXPECT_EQ(sink_.committed, 1U);
  EXPECT_EQ(table_.last_of(record.pid), 1U);
  EXPECT_FALSE(recorder_.next_look());
}

TEST_F(CommandRecorderTest, LeavesNoRecordOfAnExecThatFails) {
  ExecCall const call("/absent", {"absent"});
  Executing command([&] {
    execute(call.path(), call.argv());
    ::pause();
    return 0;
  });
  about_to_execute(command.child().pid(), call);
  ASSERT_TRUE(recorder_.settle());
  clock_.advance(1min);
  ASSERT_TRUE(recorder_.settle());
  EXPECT_THAT(sink_.events, IsEmpty());
  EXPECT_FALSE(recorder_.next_look());
}

TEST_F(CommandRecorderTest, LeavesNoRecordWhenAProcessThatExecutedNothingAsksAgain) {
  ExecCall const absent("/absent", {"x"}), sleep("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(sleep.path(), sleep.argv()); });
  about_to_execute(command.child().pid(), absent);
  about_to_execute(command.child().pid(), sleep);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records().front().exe, fs::canonical("/bin/sleep"));
}

TEST_F(CommandRecorderTest, RecordsAProgramThatEndedBeforeItCouldBeSeen) {
  ExecCall const call("/bin/true", {"true"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  about_to_execute(command.child().pid(), call);
  command.go();
  command.child().wait();
  ASSERT_TRUE(recorder_.settle());
  ASSERT_EQ(records().size(), 1U);
  EXPECT_FALSE(records().front().verified);
  EXPECT_THAT(records().front().mismatch, HasSubstr("ended before"));
  EXPECT_THAT(records().front().argv, ElementsAre("true"));
  EXPECT_EQ(sink_.all<audit::CommandExit>().size(), 1U);
}

TEST_F(CommandRecorderTest, RecordsWhatReallyRunsWhenTheArgumentsWereExchanged) {
  ExecCall call("/bin/sleep", {"sleep", "60"});
  Executing command([&] {
    call.argument(1) = "61";  // what another thread can do after they were read
    return execute(call.path(), call.argv());
  });
  about_to_execute(command.child().pid(), call);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_FALSE(records().front().verified);
  EXPECT_THAT(records().front().argv, ElementsAre("sleep", "61"));
  EXPECT_THAT(records().front().mismatch, HasSubstr("not what it asked for"));
}

TEST_F(CommandRecorderTest, RecordsWhatReallyRunsWhenTheProgramWasExchanged) {
  ExecCall const asked("/bin/true", {"sleep", "60"}), ran("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(ran.path(), ran.argv()); });
  about_to_execute(command.child().pid(), asked);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_FALSE(records().front().verified);
  EXPECT_EQ(records().front().exe, fs::canonical("/bin/sleep"));
}

TEST_F(CommandRecorderTest, RecordsWhatReallyRunsWhereNothingWasExpected) {
  ExecCall const asked("/absent", {"absent"}), ran("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(ran.path(), ran.argv()); });
  about_to_execute(command.child().pid(), asked);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_FALSE(records().front().verified);
  EXPECT_EQ(records().front().exe, fs::canonical("/bin/sleep"));
}

TEST_F(CommandRecorderTest, DoesNotVerifyArgumentsThatItDidNotKeep) {
  ExecCall const call("/bin/sleep",
                      {"sleep", "60", std::string(limits::kMaxArgvBytes - 1000, '1'), std::string(2000, '1'), "1"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  about_to_execute(command.child().pid(), call);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_TRUE(records().front().argv_cut);
  EXPECT_FALSE(records().front().verified);
}

TEST_F(CommandRecorderTest, RecordsAProgramThatEndedAndCouldNotBeFoundFromOutside) {
  ExecCall const asked("/proc/self/root/../absent", {"x"}), ran("/bin/true", {"x"});
  Executing command([&] { return execute(ran.path(), ran.argv()); });
  about_to_execute(command.child().pid(), asked);
  command.go();
  command.child().wait();
  ASSERT_TRUE(recorder_.settle());
  EXPECT_EQ(records().size(), 1U);
}

TEST_F(CommandRecorderTest, LinksACommandToTheOneBeforeIt) {
  ExecCall const call("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  table_.executed(command.child().pid(), 77);
  about_to_execute(command.child().pid(), call);
  command.go();
  settle_until_recorded();
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records().front().parent, 77U);
}

TEST_F(CommandRecorderTest, LooksLessOftenTheLongerAnExecTakes) {
  ExecCall const call("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  about_to_execute(command.child().pid(), call);
  auto const first = *recorder_.next_look() - clock_.now();
  clock_.advance(100ms);
  ASSERT_TRUE(recorder_.settle());
  EXPECT_GT(*recorder_.next_look() - clock_.now(), first);
}

TEST_F(CommandRecorderTest, FailsWithTheAuditLog) {
  ExecCall const call("/bin/sleep", {"sleep", "60"});
  Executing command([&] { return execute(call.path(), call.argv()); });
  about_to_execute(command.child().pid(), call);
  command.go();
  sink_.broken = true;
  EXPECT_FALSE(recorder_.settle());
}

}  // namespace
}  // namespace sallyport::jail
