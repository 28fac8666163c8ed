// Several threads of `sallyport proxy`: what the session has once is not there once a thread. Which thread served a request is seen in
// its number in the log: the first of N gives out 1, 1 + N and so on.

#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

namespace sallyport::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::size_t kThreads = 4;
constexpr std::size_t kRequestsAMinute = 20;
constexpr char kSecret[] = "Correct-Horse-Battery-Staple-7781";  // a known value: it stands in the environment

class ProxyThreads : public testing::Test {
 protected:
  ProxyThreads() {
    write_policy("free.example");
    std::vector<std::string> arguments = {"--policy", policy_.string(), "--threads", std::to_string(kThreads)};
    for (std::string const host : {"free.example", "limited.example", "a.told.example", "b.told.example", "c.told.example"})
      arguments.insert(arguments.end(), {"--resolve", host + ":*:127.0.0.1"});
    ::setenv("TOLD_API_KEY", kSecret, 1);
    proxy_.emplace(arguments);
    ::unsetenv("TOLD_API_KEY");
  }
  void write_policy(std::string const& free) const {
    auto const ports = "ports: [" + std::to_string(origin_.port()) + "]";
    write_file(directory_ / "new", "version: 1\nname: p\negress:\n  - {hosts: [" + free + "], " + ports + "}\n  - {hosts: [\"*.told.example\"], " + ports +
                                       "}\n  - {name: limited, hosts: [limited.example], " + ports + ", limits: {requests_per_minute: " +
                                       std::to_string(kRequestsAMinute) + "}}\n");
    std::filesystem::rename(directory_ / "new", policy_);
  }
  std::string url(std::string const& host, std::string const& path) const {
    return "http://" + host + ":" + std::to_string(origin_.port()) + path;
  }
  /// GETs at the same time; how many of them had `status`.
  std::size_t ask_at_once(std::size_t count, std::string const& host, std::string const& status) const {
    std::atomic<std::size_t> matching = 0;
    std::vector<std::jthread> clients;
    for (std::size_t client = 0; client < 6; ++client) {
      clients.emplace_back([&, client] {
        for (std::size_t i = client; i < count; i += 6) matching += proxy_->status_of(url(host, "/hello")) == status ? 1 : 0;
      });
    }
    clients.clear();
    return matching;
  }
  std::unique_ptr<Process> drip_from(std::string const& host) const {
    auto command = proxy_->curl({"-N", url(host, "/drip")});
    command.timeout = 60s;
    auto process = std::make_unique<Process>(std::move(command));
    EXPECT_TRUE(process->wait_for_output("first bytes", 20s));
    return process;
  }

  TempDir const directory_;
  std::filesystem::path const policy_ = directory_ / "policy.yaml";
  Origin origin_;
  std::optional<RunningProxy> proxy_;
};

/// Which threads decided these requests.
std::set<std::size_t> threads_of(Records const& requests) {
  std::set<std::size_t> threads;
  for (auto const& record : requests) threads.insert(std::stoul(text_at(record, "id")) % kThreads);
  return threads;
}

std::string read_text(std::filesystem::path const& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Of the gateway: /proc/PID/task/TID/status.
std::vector<std::string> thread_states(pid_t supervisor) {
  auto const of = [](std::string const& pid) { return std::filesystem::path("/proc") / pid / "task"; };
  auto const id = std::to_string(supervisor);
  std::string gateway;
  std::istringstream(read_text(of(id) / id / "children")) >> gateway;
  std::vector<std::string> states;
  for (auto const& thread : std::filesystem::directory_iterator(of(gateway))) states.push_back(read_text(thread.path() / "status"));
  return states;
}

TEST_F(ProxyThreads, EachIsConfined) {
  auto const states = thread_states(proxy_->process().pid());
  ASSERT_EQ(states.size(), kThreads);
  for (auto const& state : states) {
    EXPECT_THAT(state, HasSubstr("\nSeccomp:\t2\n"));
    EXPECT_THAT(state, HasSubstr("\nNoNewPrivs:\t1\n"));
    EXPECT_THAT(state, HasSubstr("\nCapEff:\t0000000000000000\n"));
    EXPECT_THAT(state, HasSubstr("\nCapPrm:\t0000000000000000\n"));
  }
}

TEST_F(ProxyThreads, ARulesLimitIsOneForAll) {
  EXPECT_EQ(ask_at_once(60, "limited.example", "200"), kRequestsAMinute);
  auto const requests = having(proxy_->stop(), {{"type", "egress.request"}, {"phase", "verdict"}});
  EXPECT_EQ(requests.size(), 60U);
  EXPECT_GT(threads_of(requests).size(), 1U) << print(requests);
  std::set<std::string> numbers;
  for (auto const& record : requests) numbers.insert(text_at(record, "id"));
  EXPECT_EQ(numbers.size(), requests.size()) << "no two requests have the same number";
}

TEST_F(ProxyThreads, ASecretCutOverTheirConnectionsIsSeen) {
  std::string const secret = kSecret;
  for (std::string const host : {"a.told.example", "b.told.example", "c.told.example"}) {
    ask_at_once(12, "free.example", "200");  // whoever is quick takes the next connection, which is not always the same
    EXPECT_EQ(proxy_->status_of(url(host, "/hello"), {"-H", "X-Part: " + secret.substr(0, 15)}), "200");
    EXPECT_EQ(proxy_->status_of(url(host, "/hello"), {"-H", "X-Part: " + secret.substr(15)}), "403") << host;
  }
  auto const records = proxy_->stop();
  EXPECT_EQ(having(records, {{"type", "dlp.finding"}, {"detector", "known-value"}, {"place", "requests"}}).size(), 3U) << print(records);
}

TEST_F(ProxyThreads, AReloadReachesAll) {
  std::vector<std::unique_ptr<Process>> ended;
  for (int i = 0; i < 12; ++i) ended.push_back(drip_from("free.example"));
  write_policy("other.example");
  proxy_->process().send_signal(SIGHUP);
  ASSERT_TRUE(proxy_->process().wait_for_output("reloaded, 12 connections ended", 20s)) << proxy_->process().out();
  for (auto& each : ended) EXPECT_NE(each->wait().exit_code, 0);
  EXPECT_EQ(ask_at_once(24, "free.example", "403"), 24U);
  auto const records = proxy_->stop();
  EXPECT_GT(threads_of(having(records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"}})).size(), 1U);
  EXPECT_EQ(having(records, {{"type", "policy.reload"}, {"outcome", "applied"}, {"closed", "12"}}).size(), 1U);
}

TEST_F(ProxyThreads, AllEndWithTheProxy) {
  auto const dripping = drip_from("free.example");
  auto const records = proxy_->stop();
  EXPECT_EQ(proxy_->exit_code(), 0);
  EXPECT_EQ(having(records, {{"type", "egress.request"}, {"phase", "end"}}).size(), 1U) << "of the one that was cut off";
  EXPECT_EQ(having(records, {{"type", "session.end"}, {"cause", "stopped"}}).size(), 1U);
}

}  // namespace
}  // namespace sallyport::test
