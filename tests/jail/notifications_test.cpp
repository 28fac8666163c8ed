#include "jail/notifications.hpp"

#include "tests/jail/exec_call.hpp"
#include "tests/jail/filtered.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <thread>

namespace sallyport::jail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::optional<pid_t> no_parent(pid_t) { return std::nullopt; }
void ignore(pid_t) {}

/// Answers the notifications of one filtered process, with a log in memory.
class Answered {
 public:
  explicit Answered(std::function<int()> const& body)
      : process_(body), notifications_(std::move(process_.listener()), recorder_, facts_, sink_) {}

  /// Until the process has ended; its exit status. An error of handle_one() is kept.
  int run() {
    for (;;) {
      pollfd waiting{notifications_.listener(), POLLIN, 0};
      if (::poll(&waiting, 1, kPatienceMs) != 1 || !(waiting.revents & POLLIN)) break;
      if (auto done = notifications_.handle_one(ignore); !done) error_ = done.error();
    }
    int const status = process_.child().wait();
    EXPECT_TRUE(recorder_.settle());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  /// The only command there should be by now.
  audit::CommandExec settled_record() {
    EXPECT_TRUE(recorder_.settle());
    auto const records = sink_.all<audit::CommandExec>();
    EXPECT_EQ(records.size(), 1U);
    return records.empty() ? audit::CommandExec{} : records.front();
  }
  MemorySink& sink() { return sink_; }
  ProcessFacts& facts() { return facts_; }
  Notifications& notifications() { return notifications_; }
  std::optional<Error> const& error() const { return error_; }
  pid_t pid() { return process_.child().pid(); }

 private:
  static constexpr int kPatienceMs = 10'000;
  MemorySink sink_;
  SystemClock clock_;
  CommandTable table_{no_parent};
  ExitWatch exits_{*UniqueFd::adopt(::epoll_create1(EPOLL_CLOEXEC), "epoll"), sink_, clock_, table_};
  CommandRecorder recorder_{sink_, clock_, table_, exits_};
  ProcessFacts facts_{SocketOwner(*UniqueFd::adopt(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"), ::getpid()),
                      table_, clock_};
  Filtered process_;
  Notifications notifications_;
  std::optional<Error> error_;
};

TEST(NotificationsTest, AnExecGoesOnAndIsRecorded) {
  ExecCall const call("/bin/sh", {"sh", "-c", "exit 7"});
  Answered answered([&] { return execute(call.path(), call.argv()); });
  EXPECT_EQ(answered.run(), 7);
  auto const records = answered.sink().all<audit::CommandExec>();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_THAT(records.front().argv, ElementsAre("sh", "-c", "exit 7"));
  EXPECT_EQ(records.front().exe, std::filesystem::canonical("/bin/sh"));
}

TEST(NotificationsTest, ASocketPastTheProxyIsRecordedAndRefused) {
  Answered answered([] { return ::socket(AF_PACKET, SOCK_RAW, 768) < 0 ? errno : 0; });
  EXPECT_EQ(answered.run(), EPERM);
  auto const records = answered.sink().all<audit::EgressRequest>();
  ASSERT_EQ(records.size(), 1U);
  auto const& record = records.front();
  EXPECT_EQ(record.leg, audit::Leg::syscall);
  EXPECT_EQ(record.verdict, "deny");
  EXPECT_EQ(record.detail, "socket(AF_PACKET, SOCK_RAW, 768)");
  EXPECT_EQ(record.flow.protocol, "packet");
  ASSERT_TRUE(record.process);
  EXPECT_EQ(record.process->pid, answered.pid());
  EXPECT_EQ(answered.sink().committed, 1U);
}

TEST(NotificationsTest, WithoutAnAuditLogTheCallFailsAndTheSessionHears) {
  Gate broken;
  Answered answered([&] {
    broken.pass();
    return ::socket(AF_PACKET, SOCK_RAW, 0) < 0 ? errno : 0;
  });
  answered.sink().broken = true;
  broken.open();
  EXPECT_EQ(answered.run(), EPERM);
  EXPECT_TRUE(answered.error());
}

TEST(NotificationsTest, TheFirstProcessToAskIsTheCommand) {
  Gate gate;
  Answered answered([&] {
    gate.pass();
    return ::socket(AF_PACKET, SOCK_RAW, 0) < 0 ? 0 : 1;
  });
  EXPECT_FALSE(answered.notifications().command());
  gate.open();
  answered.run();
  EXPECT_EQ(answered.notifications().command(), answered.pid());
}

TEST(NotificationsTest, AProcessKilledWhileItWaitsIsNoError) {
  Gate gate;
  Answered answered([&] {
    gate.pass();
    ::socket(AF_PACKET, SOCK_RAW, 0);
    return 0;
  });
  gate.open();
  pollfd waiting{answered.notifications().listener(), POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, 10'000), 1);
  ::kill(answered.pid(), SIGKILL);
  answered.run();
  EXPECT_FALSE(answered.error());
  EXPECT_THAT(answered.sink().all<audit::CommandExec>(), IsEmpty());
}

TEST(NotificationsTest, AnExecOfAnotherThreadIsThatOfTheProcess) {
  ExecCall const call("/bin/sh", {"sh", "-c", "echo; kill -STOP $$"});
  int output[2];
  ASSERT_EQ(::pipe2(output, O_CLOEXEC), 0);
  Answered answered([&] {
    ::dup2(output[1], STDOUT_FILENO);
    std::thread([&] { execute(call.path(), call.argv()); }).join();
    return 1;
  });
  ASSERT_TRUE(answered.notifications().handle_one(ignore));
  char newline = 0;
  ASSERT_EQ(::read(output[0], &newline, 1), 1);  // it runs
  auto const record = answered.settled_record();
  EXPECT_EQ(record.pid, answered.pid());
  EXPECT_TRUE(record.verified) << record.mismatch;
  EXPECT_TRUE(answered.sink().all<audit::CommandExit>().empty());
  ::close(output[0]);
  ::close(output[1]);
}

TEST(NotificationsTest, ADialRightAfterTheExecFollowsFromIt) {
  ExecCall const call("/bin/bash", {"bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9"});
  Answered answered([&] { return execute(call.path(), call.argv()); });
  EXPECT_EQ(answered.run(), 0);
  audit::Flow flow;
  flow.remote_address = "127.0.0.1";
  flow.remote_port = 9;
  auto const dialled = answered.facts().of_flow(flow);
  ASSERT_TRUE(dialled);
  EXPECT_EQ(dialled->argv.front(), "bash");
  EXPECT_EQ(dialled->chain.size(), 1U);
}

/// A second thread exchanges an argument while the exec is under way. Whatever runs is what the record says.
TEST(NotificationsTest, TheRecordSaysWhatRanAlsoWhenAThreadRewritesTheArguments) {
  for (int round = 0; round < 20; ++round) {
    int output[2];
    ASSERT_EQ(::pipe2(output, O_CLOEXEC), 0);
    ExecCall call("/bin/sh", {"sh", "-c", "echo $0; kill -STOP $$", "a"});
    Answered answered([&] {
      ::dup2(output[1], STDOUT_FILENO);
      volatile char* const letter = call.argument(3).data();
      std::thread([letter] {
        for (;;) *letter = *letter == 'a' ? 'b' : 'a';
      }).detach();
      return execute(call.path(), call.argv());
    });
    ASSERT_TRUE(answered.notifications().handle_one(ignore));
    char ran[2]{};
    ASSERT_EQ(::read(output[0], ran, sizeof ran), 2);
    auto const record = answered.settled_record();
    ASSERT_EQ(record.argv.size(), 4U);
    EXPECT_EQ(record.argv[3], std::string(1, ran[0])) << "verified: " << record.verified;
    ::close(output[0]);
    ::close(output[1]);
  }
}

}  // namespace
}  // namespace sallyport::jail
