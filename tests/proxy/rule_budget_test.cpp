#include "proxy/rule_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr RuleBudget::time_point kStart{1000h};

policies::Rule rule_with(policies::RuleLimits limits, std::string name = "r") {
  policies::Rule rule;
  rule.name = std::move(name);
  rule.limits = limits;
  return rule;
}

std::string reason_of(RuleBudget::Refused const& refused) { return refused ? refused->reason : "ok"; }

TEST(RateWindow, LetsTheLimitThroughAndNoMore) {
  RateWindow window;
  int admitted = 0;
  for (int i = 0; i < 100; ++i) admitted += window.admit(10, kStart + i * 1ms);
  EXPECT_EQ(admitted, 10);
}

TEST(RateWindow, SlidesWithTime) {
  RateWindow window;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(window.admit(10, kStart));
  EXPECT_FALSE(window.admit(10, kStart + 59s));
  EXPECT_FALSE(window.admit(10, kStart + 60s)) << "the last minute still counts";
  EXPECT_TRUE(window.admit(10, kStart + 90s));
  EXPECT_TRUE(window.admit(10, kStart + 1h));
}

TEST(RateWindow, AMinuteOfEvenRequestsNeverHoldsMoreThanTheLimit) {
  RateWindow window;
  std::vector<RateWindow::time_point> admitted;
  for (auto t = kStart; t < kStart + 10min; t += 700ms)
    if (window.admit(30, t)) admitted.push_back(t);
  for (auto first : admitted) {
    auto const within = std::count_if(admitted.begin(), admitted.end(), [&](auto t) { return t >= first && t < first + 1min; });
    EXPECT_LE(within, 31);
  }
  EXPECT_GE(admitted.size(), 280U) << "and is used";
}

TEST(RuleBudget, ARuleWithoutLimitsIsNotCounted) {
  RuleBudget budget;
  auto const rule = rule_with({});
  for (int i = 0; i < 1000; ++i) ASSERT_FALSE(budget.start_request(rule, 1ULL << 60, kStart));
  EXPECT_FALSE(budget.upload(rule, 1ULL << 60, 1ULL << 60));
  EXPECT_TRUE(budget.open_connection(rule));
}

TEST(RuleBudget, ABodyIsRefusedWhenDeclaredOrWhenItGrows) {
  RuleBudget budget;
  auto const rule = rule_with({.request_body = 100, .upload = {}, .requests_per_minute = {}, .connections = {}});
  EXPECT_EQ(reason_of(budget.start_request(rule, 101, kStart)), "request_body_limit");
  EXPECT_EQ(reason_of(budget.start_request(rule, 100, kStart)), "ok");
  EXPECT_EQ(reason_of(budget.upload(rule, 0, 100)), "ok");
  EXPECT_EQ(reason_of(budget.upload(rule, 100, 1)), "request_body_limit");
  EXPECT_EQ(reason_of(budget.upload(rule, 0, ~0ULL)), "request_body_limit");
}

TEST(RuleBudget, UploadsAddUpOverTheSession) {
  RuleBudget budget;
  auto const rule = rule_with({.request_body = {}, .upload = 1024, .requests_per_minute = {}, .connections = {}});
  EXPECT_EQ(reason_of(budget.upload(rule, 0, 1000)), "ok");
  EXPECT_EQ(reason_of(budget.start_request(rule, 25, kStart)), "upload_limit");
  EXPECT_EQ(reason_of(budget.upload(rule, 0, 25)), "upload_limit");
  EXPECT_EQ(reason_of(budget.upload(rule, 0, 24)), "ok") << "what was refused is not used";
  EXPECT_EQ(reason_of(budget.upload(rule, 0, 1)), "upload_limit");
  EXPECT_EQ(reason_of(budget.upload(rule_with(rule.limits, "other"), 0, 1000)), "ok") << "each rule by itself";
  EXPECT_THAT(budget.upload(rule, 0, 1)->hint, HasSubstr("rule r allows 1KiB of uploads"));
}

TEST(RuleBudget, RequestsAreCountedAndRefusedOnesAreNot) {
  RuleBudget budget;
  auto const rule = rule_with({.request_body = 5, .upload = {}, .requests_per_minute = 2, .connections = {}});
  EXPECT_EQ(reason_of(budget.start_request(rule, 6, kStart)), "request_body_limit");
  EXPECT_EQ(reason_of(budget.start_request(rule, {}, kStart)), "ok");
  EXPECT_EQ(reason_of(budget.start_request(rule, 0, kStart)), "ok");
  EXPECT_EQ(reason_of(budget.start_request(rule, 0, kStart)), "rate_limit");
  EXPECT_EQ(reason_of(budget.start_request(rule, 0, kStart + 2min)), "ok");
}

TEST(RuleBudget, AConnectionIsFreeAgainWhenItsHolderIsGone) {
  RuleBudget budget;
  auto const rule = rule_with({.request_body = {}, .upload = {}, .requests_per_minute = {}, .connections = 2});
  auto first = budget.open_connection(rule);
  auto second = budget.open_connection(rule);
  ASSERT_TRUE(first && second);
  auto const third = budget.open_connection(rule);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().reason, "connection_limit");
  RuleBudget::Connection moved = std::move(*first);
  EXPECT_FALSE(budget.open_connection(rule)) << "moved, not closed";
  moved = RuleBudget::Connection();
  EXPECT_TRUE(budget.open_connection(rule));
}

TEST(RuleBudget, ThreadsTogetherGetNoMore) {
  RuleBudget budget;
  auto const rule = rule_with({.request_body = {}, .upload = 3'000'000, .requests_per_minute = 30'000, .connections = 3});
  std::atomic<std::size_t> requests = 0, uploaded = 0;
  std::atomic<int> open = 0, most = 0;
  std::latch all(4);
  auto const work = [&] {
    all.arrive_and_wait();
    std::size_t mine = 0;
    for (int i = 0; i < 1'000'000; ++i) mine += budget.upload(rule, 0, 1) ? 0 : 1;
    uploaded += mine;
    for (int i = 0; i < 20'000; ++i) {
      if (!budget.start_request(rule, {}, kStart)) ++requests;
      auto const held = budget.open_connection(rule);
      if (!held) continue;
      int const now = ++open;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
      --open;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  EXPECT_EQ(requests, 30'000U);
  EXPECT_EQ(uploaded, 3'000'000U);
  EXPECT_LE(most, 3);
  EXPECT_TRUE(budget.open_connection(rule)) << "all were given back";
}

}  // namespace
}  // namespace sallyport::proxy
