#include "jail/supervisor.hpp"

#include "tests/jail/forked.hpp"
#include "tests/jail/workplace.hpp"
#include "tests/support/audit_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;

/// What stands in for the gateway's process: until it is told to stop, or its end of the channel is closed.
int obedient_gateway(int channel) {
  char byte = 0;
  return ::recv(channel, &byte, 1, 0) >= 0 ? 0 : 1;
}

/// A whole session but for the proxy: real jail, real audit log, a gateway that does nothing.
class SupervisorTest : public ::testing::Test {
 protected:
  SupervisorTest() {
    sigset_t const forwarded = forwarded_signals();
    ::sigprocmask(SIG_BLOCK, &forwarded, &options_.signal_mask);
  }
  ~SupervisorTest() override { ::sigprocmask(SIG_SETMASK, &options_.signal_mask, nullptr); }

  ExitReport run(std::vector<std::string> command, std::optional<std::chrono::milliseconds> timeout = {}) {
    Plan const plan = place_.plan(std::move(command));
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    auto ours = *UniqueFd::adopt(ends[0], "supervisor");
    Child const gateway([&] {
      ::close(ends[0]);  // the supervisor's
      return gateway_(ends[1]);
    });
    ::close(ends[1]);
    return supervise(plan, std::move(ours), timeout);
  }
  test::Records records() const { return test::read_records(place_.outside("audit.jsonl")); }
  std::vector<std::string> types() const {
    std::vector<std::string> out;
    for (auto const& record : records()) out.push_back(test::text_at(record, "type"));
    return out;
  }

  Workplace place_;
  LaunchOptions options_;
  std::function<int(int)> gateway_ = obedient_gateway;

 private:
  ExitReport supervise(Plan const& plan, UniqueFd channel, std::optional<std::chrono::milliseconds> timeout) {
    RunningJail const jail(plan, options_);
    auto handover = await_setup(jail.get(), plan);
    if (!handover) throw std::runtime_error(handover.error().what);
    auto sink = audit::FileSink::open({place_.outside("audit.jsonl"), place_.outside("keys"), "test"}, clock_);
    if (!sink) throw std::runtime_error(sink.error().what);
    if (!(*sink)->append(audit::SessionStart{}) || !(*sink)->commit()) throw std::runtime_error("audit log");
    GatewayLink link(std::move(channel), **sink);
    auto supervisor = Supervisor::make({plan, jail.get(), *std::move(handover), link, **sink, clock_}, timeout);
    if (!supervisor || !start_command(jail.get())) throw std::runtime_error("start");
    return (*supervisor)->run();
  }
  SystemClock clock_;
};

template <class T>
T as(ExitReport const& report) {
  auto const* found = std::get_if<T>(&report);
  EXPECT_NE(found, nullptr) << "another end: " << report.index();
  return found != nullptr ? *found : T{};
}

TEST_F(SupervisorTest, PassesOnTheExitCode) {
  EXPECT_EQ(as<Exited>(run({"/bin/sh", "-c", "exit 7"})).code, 7);
  auto const commands = test::having(records(), {{"type", "command.exec"}});
  ASSERT_EQ(commands.size(), 1U) << test::print(records());
  EXPECT_THAT(types(), Contains("command.exit"));
}

TEST_F(SupervisorTest, PassesOnASignal) {
  EXPECT_EQ(as<Signaled>(run({"/bin/sh", "-c", "kill -TERM $$"})).signal, SIGTERM);
}

TEST_F(SupervisorTest, SaysThatTheCommandIsNotThere) {
  EXPECT_EQ(as<NotStarted>(run({"/absent/program"})).error, ENOENT);
  EXPECT_TRUE(test::having(records(), {{"type", "command.exec"}, {"verified", "true"}}).empty()) << test::print(records());
}

TEST_F(SupervisorTest, EndsACommandAtItsTimeLimit) {
  as<TimedOut>(run({"/bin/sleep", "60"}, 200ms));
  EXPECT_EQ(test::having(records(), {{"type", "limit.hit"}, {"limit", "time"}}).size(), 1U);
}

TEST_F(SupervisorTest, KillsACommandThatIgnoresItsTimeLimit) {
  as<TimedOut>(run({"/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"}, 200ms));
}

TEST_F(SupervisorTest, EndsWithEverythingTheCommandLeftRunning) {
  EXPECT_EQ(as<Exited>(run({"/bin/sh", "-c", "sleep 60 & setsid sleep 60 & exit 3"})).code, 3);
}

TEST_F(SupervisorTest, ForwardsASignalToTheCommand) {
  Child const sender([parent = ::getpid(), ready = place_.workspace() + "/ready"] {
    while (!std::filesystem::exists(ready)) ::usleep(1000);
    ::kill(parent, SIGUSR1);
    return 0;
  });
  auto const report = run({"/bin/sh", "-c", "trap 'exit 9' USR1; touch ready; while :; do sleep 0.05; done"}, 20s);
  EXPECT_EQ(as<Exited>(report).code, 9);
}

TEST_F(SupervisorTest, EndsTheSessionWithTheGateway) {
  gateway_ = [](int) { return 1; };
  auto const report = run({"/bin/sleep", "60"});
  EXPECT_EQ(as<Broken>(report).cause, "gateway_lost");
}

TEST_F(SupervisorTest, EndsTheSessionOnAHostileMessageOfTheGateway) {
  gateway_ = [](int channel) {
    ::send(channel, "garbage", 7, 0);
    return obedient_gateway(channel);
  };
  auto const report = run({"/bin/sleep", "60"});
  EXPECT_TRUE(std::holds_alternative<Broken>(report));
}

TEST_F(SupervisorTest, WritesTheLastRecordsOfTheGateway) {
  gateway_ = [](int channel) {
    obedient_gateway(channel);
    audit::EgressRequest event;
    event.host = "last.example";
    event.verdict = "deny";
    auto const bytes = audit::channel::encode(audit::channel::ToSupervisor(audit::channel::Record{1, event}));
    return ::send(channel, bytes.data(), bytes.size(), 0) > 0 ? 0 : 1;
  };
  EXPECT_EQ(as<Exited>(run({"/bin/true"})).code, 0);
  EXPECT_EQ(test::having(records(), {{"type", "egress.request"}, {"host", "last.example"}}).size(), 1U)
      << test::print(records());
}

TEST_F(SupervisorTest, RecordsEveryCommandWithTheOneThatStartedIt) {
  EXPECT_EQ(as<Exited>(run({"/bin/sh", "-c", "/bin/sleep 0.1; /bin/sh -c '/bin/sleep 0.1; exit 4'"})).code, 4);
  auto const all = records();
  auto const commands = test::having(all, {{"type", "command.exec"}});
  ASSERT_EQ(commands.size(), 4U) << test::print(all);
  EXPECT_EQ(test::text_at(commands[1], "parent"), test::text_at(commands[0], "seq"));
  EXPECT_EQ(test::text_at(commands[3], "parent"), test::text_at(commands[2], "seq"));
  EXPECT_EQ(test::having(all, {{"type", "command.exit"}}).size(), 4U) << test::print(all);
}

TEST(ForwardedSignals, AreThoseThatAPersonOrAServiceManagerSends) {
  sigset_t const set = forwarded_signals();
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) EXPECT_TRUE(sigismember(&set, signal)) << signal;
  for (int signal : {SIGCHLD, SIGSEGV, SIGTSTP, SIGPIPE}) EXPECT_FALSE(sigismember(&set, signal)) << signal;
}

}  // namespace
}  // namespace sallyport::jail
