// The end of a session, orderly or not: nothing of it stays on the host, and nothing in it has network afterwards.

#include "tests/integration/refusals.hpp"
#include "tests/support/host_state.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::IsSubsetOf;

/// A session that downloads without end, beside commands that fetch again and again and one that only sleeps.
class Download : public testing::Test {
 protected:
  Download() {
    jail_.add_file("ca.pem", ca_.pem());
    auto const script =
        "setsid sleep 86399 &\n"
        "while :; do curl -s -o /dev/null --cacert ca.pem https://allowed.example/hello; done &\n"
        "curl -sSN --cacert ca.pem https://allowed.example/drip; wait\n";
    session_ =
        std::make_unique<Process>(jail_.command(reach("allowed.example", 443, origin_.port()), {"sh", "-c", script}));
    started_ = session_->wait_for_output("first bytes", 20s);
    members_ = descendants(session_->pid());
    namespaces_ = hold_namespaces_of(members_);
    for (auto const& name : namespaces_of({::getpid()})) namespaces_.erase(name);
  }

  /// No process of the session is left, no namespace, no mount, no connection, and nothing arrives any more.
  void expect_nothing_left() {
    EXPECT_TRUE(eventually(5s, [&] { return std::none_of(members_.begin(), members_.end(), alive); }));
    EXPECT_TRUE(eventually(5s, [&] { return origin_.open_connections() == 0; }));
    auto const requests = origin_.requests();
    EXPECT_TRUE(processes_with_argument(jail_.workspace().string()).empty());
    EXPECT_FALSE(namespaces_.empty());
    for (auto const& [name, held] : namespaces_) EXPECT_FALSE(namespaces().contains(name)) << name;
    EXPECT_THAT(mounts(), IsSubsetOf(mounts_before_));
    EXPECT_EQ(origin_.requests(), requests);
  }

  /// The child that lives in the host's PID namespace: the gateway. Init is PID 1 of the jail's.
  pid_t gateway() const {
    for (pid_t pid : members_) {
      auto const status = read_file("/proc/" + std::to_string(pid) + "/status");
      auto const at = status.find("NSpid:");
      auto const line = status.substr(at, status.find('\n', at) - at);
      if (std::count(line.begin(), line.end(), '\t') == 1) return pid;
    }
    return -1;
  }

  std::set<std::string> mounts_before_ = mounts();
  TestCa ca_;
  Origin origin_{ca_, {"allowed.example"}};
  Jail jail_;
  std::unique_ptr<Process> session_;
  bool started_ = false;
  std::vector<pid_t> members_;
  std::map<std::string, UniqueFd> namespaces_;  // of the session alone
};

TEST_F(Download, KilledSupervisorLeavesNothing) {
  ASSERT_TRUE(started_);
  ASSERT_GE(members_.size(), 4u) << "gateway, init, shell, curl";
  session_->send_signal(SIGKILL);
  EXPECT_EQ(session_->wait().exit_code, 137) << "and both pipes are closed: nobody in the jail holds them";
  expect_nothing_left();
}

TEST_F(Download, KilledGatewayEndsTheSession) {
  ASSERT_TRUE(started_);
  ASSERT_GT(gateway(), 0);
  ::kill(gateway(), SIGKILL);
  auto const outcome = session_->wait();
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_NE(outcome.exit_code, 0);
  expect_nothing_left();
  auto const records = read_records(jail_.audit_file());
  EXPECT_EQ(having(records, {{"type", "session.end"}, {"cause", "gateway_lost"}}).size(), 1u) << print(records);
}

TEST_F(Download, TerminatedSessionLeavesNothing) {
  ASSERT_TRUE(started_);
  session_->send_signal(SIGTERM);
  EXPECT_EQ(session_->wait().exit_code, 143);
  expect_nothing_left();
}

TEST_F(Download, RemovedAuditFileEndsTheSession) {
  ASSERT_TRUE(started_);
  std::filesystem::remove(jail_.audit_file());
  auto const outcome = session_->wait();  // the next request finds no log to be written to
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_NE(outcome.exit_code, 0);
  expect_nothing_left();
}

TEST(Lifecycle, FullDiskEndsTheSessionAndNothingMoreGoesOut) {
  Jail jail;
  Origin origin;
  auto command = jail.command(reach("allowed.example", 80, origin.port()),
                              {"sh", "-c", "while :; do curl -s -o /dev/null http://allowed.example/hello; done"});
  std::vector<std::string> limited = {"sh", "-c", "ulimit -f 64; exec \"$@\"",
                                      "sh"};  // files end at 32 KiB, as on a full disk
  limited.insert(limited.end(), command.argv.begin(), command.argv.end());
  command.argv = limited;
  auto const outcome = run_command(command);
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_NE(outcome.exit_code, 0);
  auto const requests = origin.requests();
  EXPECT_GT(requests, 0u);
  // The last line may be half written; every request that arrived has its verdict in a line before.
  auto const log = read_file(jail.audit_file());
  std::size_t verdicts = 0;
  for (std::size_t at = 0; (at = log.find("\"phase\":\"verdict\"", at)) != std::string::npos; ++at) ++verdicts;
  EXPECT_LE(requests, verdicts);
  EXPECT_TRUE(processes_with_argument(jail.workspace().string()).empty());
}

TEST(Lifecycle, WhatACommandLeavesBehindEndsWithIt) {
  Jail jail;
  auto const outcome = jail.run({}, {"sh", "-c", "setsid nohup sleep 86398 >/dev/null 2>&1 & sleep 86398 & exit 0"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(eventually(5s, [] { return processes_with_argument("86398").empty(); }));
}

TEST(Lifecycle, TwentySessionsAtOnceLeaveNothing) {
  constexpr int kSessions = 20;
  auto const mounts_before = mounts();
  auto const descriptors_before = open_fds();
  Origin origin;
  {
    std::vector<std::unique_ptr<Jail>> jails;
    std::vector<std::unique_ptr<Process>> sessions;
    for (int i = 0; i < kSessions; ++i) {
      jails.push_back(std::make_unique<Jail>());
      sessions.push_back(std::make_unique<Process>(
          jails.back()->command(reach("allowed.example", 80, origin.port()),
                                {"sh", "-c", "curl -sS http://allowed.example/hello; curl -s http://denied.example"})));
    }
    for (int i = 0; i < kSessions; ++i) {
      auto const outcome = sessions[i]->wait();
      EXPECT_THAT(outcome.out, HasSubstr("hello\n")) << outcome.err;
      EXPECT_TRUE(processes_with_argument(jails[i]->workspace().string()).empty());
      auto const verified = jails[i]->sallyport({"audit", "verify", jails[i]->audit_file()});
      EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    }
  }
  EXPECT_EQ(origin.requests(), std::size_t{kSessions});
  EXPECT_THAT(mounts(), IsSubsetOf(mounts_before));
  EXPECT_TRUE(eventually(5s, [&] { return open_fds() <= descriptors_before + 3; })) << "the server's three";
}

}  // namespace
}  // namespace sallyport::test
