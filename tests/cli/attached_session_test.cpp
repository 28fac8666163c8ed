#include "cli/attached_session.hpp"

#include "tests/support/audit_records.hpp"
#include "tests/support/host_state.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;

// A container as far as its network goes: a network namespace with loopback alone, in which nobody has a capability.
constexpr char kPowerless[] = "echo up; exec setpriv --inh-caps=-all --bounding-set=-all sh -c 'while ! test -e stop; do sleep 0.05; done'";
constexpr char kPowerful[] = "echo up; while ! test -e stop; do sleep 0.05; done";

class AttachedSession : public testing::Test {
 protected:
  void begin(char const* container) {
    container_.emplace(test::Command{.argv = {"unshare", "-Urn", "sh", "-c", container}, .directory = directory_.path().string()});
    ASSERT_TRUE(container_->wait_for_output("up", 10s));
  }
  std::vector<std::string> attach() const {
    std::string const port = std::to_string(origin_.port());
    return {SALLYPORT_BINARY, "attach", "--pid", std::to_string(container_->pid()), "--allow", "a.example:" + port, "--resolve",
            "a.example:" + port + ":127.0.0.1", "--audit", log_, "--env-file", (directory_ / "env").string()};
  }
  /// The capabilities go with the exec of setpriv, a moment after "up".
  void wait_until_powerless() const {
    auto const status = "/proc/" + std::to_string(container_->pid()) + "/status";
    ASSERT_TRUE(test::eventually(10s, [&] { return test::read_file(status).find("CapBnd:\t0000000000000000") != std::string::npos; }));
  }
  /// curl in the container's network.
  test::Outcome get(std::string const& host) {
    std::string const pid = std::to_string(container_->pid());
    return test::run_command({.argv = {"nsenter", "-t", pid, "-U", "--preserve-credentials", "-n", "curl", "-sS", "--max-time", "10", "-w",
                                       "%{http_code}", "-o", "/dev/null", "http://" + host + ":" + std::to_string(origin_.port()) + "/hello"}});
  }
  void end_container() { test::write_file(directory_ / "stop", ""); }

  test::TempDir const directory_;
  test::Origin origin_;
  std::string const log_ = (directory_ / "log.jsonl").string();
  std::optional<test::Process> container_;
};

TEST_F(AttachedSession, ServesWhatThePolicyAllowsUntilTheContainerEnds) {
  begin(kPowerless);
  wait_until_powerless();
  test::Process session({.argv = attach()});
  ASSERT_TRUE(session.wait_for_output("attached", 10s));
  EXPECT_EQ(get("a.example").out, "200");
  EXPECT_NE(get("b.example").exit_code, 0);
  EXPECT_NE(test::read_file(directory_ / "env").find("https_proxy=http://127.0.0.1:3128\n"), std::string::npos);
  end_container();
  EXPECT_EQ(session.wait().exit_code, 0);
  auto const records = test::read_records(log_);
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"host", "a.example"}, {"verdict", "allow"}}).size(), 1U);
  EXPECT_FALSE(test::having(records, {{"type", "dns.query"}, {"name", "b.example"}, {"verdict", "deny"}}).empty());
  EXPECT_EQ(test::having(records, {{"type", "session.end"}, {"cause", "container_ended"}}).size(), 1U);
}

TEST_F(AttachedSession, LeavesNoNetworkBehindWhenItIsStopped) {
  begin(kPowerless);
  wait_until_powerless();
  test::Process session({.argv = attach()});
  ASSERT_TRUE(session.wait_for_output("attached", 10s));
  session.send_signal(SIGTERM);
  EXPECT_EQ(session.wait().exit_code, 0);
  EXPECT_NE(get("a.example").exit_code, 0);
  EXPECT_EQ(origin_.requests(), 0U);
  std::filesystem::remove(log_);
  test::Process again({.argv = attach()});
  EXPECT_TRUE(again.wait_for_output("attached", 10s));
  end_container();
  again.wait();
}

TEST_F(AttachedSession, IsTakenOverFromOneThatWasKilled) {
  begin(kPowerless);
  wait_until_powerless();
  test::Process session({.argv = attach()});
  ASSERT_TRUE(session.wait_for_output("attached", 10s));
  session.send_signal(SIGKILL);
  session.wait();
  EXPECT_NE(get("a.example").exit_code, 0);
  std::filesystem::remove(log_);
  test::Process again({.argv = attach()});
  EXPECT_TRUE(again.wait_for_output("attached", 10s));
  EXPECT_EQ(get("a.example").out, "200");
  end_container();
  again.wait();
}

TEST_F(AttachedSession, TwoForOneContainerAreOneTooMany) {
  begin(kPowerless);
  wait_until_powerless();
  test::Process session({.argv = attach()});
  ASSERT_TRUE(session.wait_for_output("attached", 10s));
  auto const second = test::run_command({.argv = attach()});
  EXPECT_EQ(second.exit_code, 125);
  EXPECT_NE(second.err.find("serves this network already"), std::string::npos) << second.err;
  EXPECT_EQ(get("a.example").out, "200");  // the first goes on
  end_container();
  session.wait();
}

TEST_F(AttachedSession, AContainerWithPowerOverItsNetworkIsRefused) {
  begin(kPowerful);
  auto const outcome = test::run_command({.argv = attach()});
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_NE(outcome.err.find("NET_ADMIN"), std::string::npos) << outcome.err;
  EXPECT_NE(get("a.example").exit_code, 0);
  end_container();
  container_->wait();
}

}  // namespace
}  // namespace sallyport::cli
