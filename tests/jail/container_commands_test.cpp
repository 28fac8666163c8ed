#include "jail/container_commands.hpp"

#include "tests/jail/forked.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// "Container": a process in a network namespace of its own, which runs what it is told to over a pipe.
class ContainerCommandsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto events = ProcessEvents::subscribe();
    if (!events) GTEST_SKIP() << "the kernel tells only the machine's own root: " << events.error().what;
    ASSERT_EQ(::pipe(script_.data()), 0);
    ASSERT_EQ(::pipe(ready_.data()), 0);
    container_ = ::fork();
    if (container_ == 0) run_container();
    ::close(ready_[1]);
    char byte = 0;
    ASSERT_EQ(::read(ready_[0], &byte, 1), 1) << "no network namespace";
    auto const network = namespace_id("/proc/" + std::to_string(container_) + "/ns/net");
    ASSERT_TRUE(network);
    commands_.emplace(*std::move(events), *network, sink_, clock_);
  }
  void TearDown() override {
    if (container_ <= 0) return;
    ::kill(container_, SIGKILL);
    ::waitpid(container_, nullptr, 0);
  }

  /// The container becomes a shell that reads its script from the pipe.
  [[noreturn]] void run_container() {
    if (::unshare(CLONE_NEWNET | (::geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) ::_exit(1);
    ::dup2(script_[0], 0);
    ::dup2(ready_[1], 9);
    if (::write(ready_[1], "r", 1) != 1) ::_exit(1);
    ::execl("/bin/sh", "sh", "-s", nullptr);
    ::_exit(1);
  }
  void tell(std::string const& line) { ASSERT_EQ(::write(script_[1], line.data(), line.size()), static_cast<ssize_t>(line.size())); }
  template <class Done>
  void settle_until(Done done) {
    pollfd waiting{commands_->descriptor(), POLLIN, 0};
    for (auto const end = std::chrono::steady_clock::now() + 10s; !done() && std::chrono::steady_clock::now() < end;) {
      ::poll(&waiting, 1, 1000);
      ASSERT_TRUE(commands_->settle());
    }
  }
  std::vector<audit::CommandExec> execs() const { return sink_.all<audit::CommandExec>(); }
  std::vector<audit::CommandExit> exits() const { return sink_.all<audit::CommandExit>(); }

  MemorySink sink_;
  FakeClock clock_;
  std::array<int, 2> script_{}, ready_{};
  pid_t container_ = 0;
  std::optional<ContainerCommands> commands_;
};

TEST_F(ContainerCommandsTest, WhatItExecutesIsRecordedWithWhatLedThere) {
  settle_until([&] { return !execs().empty(); });  // the shell itself
  tell("/bin/sh -c 'sleep 0.2; exit 3'\n");
  settle_until([&] { return exits().size() >= 2; });
  auto const found = execs();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(found[0].argv, ElementsAre("sh", "-s"));
  EXPECT_THAT(found[1].argv, ElementsAre("/bin/sh", "-c", "sleep 0.2; exit 3"));
  EXPECT_THAT(found[2].argv, ElementsAre("sleep", "0.2"));
  EXPECT_TRUE(found[2].verified) << found[2].mismatch;
  EXPECT_EQ(found[1].parent, 1u);
  EXPECT_EQ(found[2].parent, 2u);
  EXPECT_EQ(found[2].ppid, found[1].pid);
  EXPECT_EQ(commands_->table().chain_of(container_), (CommandTable::Chain{1}));
  EXPECT_EQ(exits()[0].exit_code, 0);
  EXPECT_EQ(exits()[1].exit_code, 3);
  EXPECT_EQ(exits()[1].exec, 2u);
  EXPECT_EQ(sink_.committed, sink_.events.size());
}

TEST_F(ContainerCommandsTest, WhatTheMachineExecutesIsNot) {
  settle_until([&] { return !execs().empty(); });
  Child outside([] { return ::execl("/bin/true", "true", nullptr); });
  outside.wait();
  tell("/bin/sleep 0.1\n");
  settle_until([&] { return exits().size() >= 1; });
  ASSERT_EQ(execs().size(), 2u);
  EXPECT_THAT(execs()[1].argv, ElementsAre("/bin/sleep", "0.1"));
}

/// Its parent is gone, and the kernel has given it another one.
TEST_F(ContainerCommandsTest, AnOrphanKeepsItsChain) {
  settle_until([&] { return !execs().empty(); });
  tell("/bin/sh -c '(sleep 0.2; exec sleep 9) & exit 0'\n");
  settle_until([&] { return execs().size() >= 4; });
  auto const last = execs().back();
  ASSERT_THAT(last.argv, ElementsAre("sleep", "9"));
  EXPECT_EQ(commands_->table().chain_of(last.pid).front(), 1u);
  EXPECT_EQ(commands_->table().chain_of(last.pid).size(), 3u);
  ::kill(last.pid, SIGKILL);
}

TEST_F(ContainerCommandsTest, WhatRanBeforeIsTheRootOfChains) {
  settle_until([&] { return !execs().empty(); });
  auto again = ProcessEvents::subscribe();
  ASSERT_TRUE(again);
  MemorySink later;
  ContainerCommands commands(*std::move(again), *namespace_id("/proc/" + std::to_string(container_) + "/ns/net"), later, clock_);
  ASSERT_TRUE(commands.record_running());
  auto const found = later.all<audit::CommandExec>();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].pid, container_);
  EXPECT_FALSE(found[0].verified);
  EXPECT_EQ(found[0].mismatch, "it ran before the session began");
  EXPECT_EQ(commands.table().chain_of(container_), (CommandTable::Chain{1}));
}

/// Nobody reads for a while: /proc has nothing any more, the kernel's report has.
TEST_F(ContainerCommandsTest, AProcessThatIsGoneIsRecordedAllTheSame) {
  settle_until([&] { return !execs().empty(); });
  tell("/bin/true\nkill -STOP $$\n");
  int status = 0;
  ASSERT_EQ(::waitpid(container_, &status, WUNTRACED), container_);
  settle_until([&] { return exits().size() >= 1; });
  ASSERT_EQ(execs().size(), 2u);
  EXPECT_EQ(execs()[1].mismatch, "the process ended before it could be looked at");
  EXPECT_EQ(execs()[1].ppid, container_);
  EXPECT_EQ(execs()[1].parent, 1u);
}

/// More than the kernel keeps for a reader that does not come: the log says that something is missing, and goes on.
TEST_F(ContainerCommandsTest, ReportsThatWereLostAreALimitThatWasHit) {
  settle_until([&] { return !execs().empty(); });
  tell("i=0; while [ $i -lt 8000 ]; do (:); i=$((i+1)); done; echo d >&9\n");
  char byte = 0;
  ASSERT_EQ(::read(ready_[0], &byte, 1), 1);
  ASSERT_TRUE(commands_->settle());
  auto const hits = sink_.all<audit::LimitHit>();
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].limit, "process_events");
  auto const before = execs().size();
  tell("/bin/sleep 0.1\n");
  settle_until([&] { return execs().size() > before; });
  ASSERT_GT(execs().size(), before);
  EXPECT_EQ(execs().back().parent, 1u);
}

TEST_F(ContainerCommandsTest, ABrokenLogIsAnError) {
  settle_until([&] { return !execs().empty(); });
  sink_.broken = true;
  tell("/bin/true\n");
  pollfd waiting{commands_->descriptor(), POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, 10'000), 1);
  EXPECT_FALSE(commands_->settle());
}

}  // namespace
}  // namespace sallyport::jail
