#include "proxy/client_gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

using policies::Cidr;
using policies::IpAddress;

IpAddress at(char const* text) { return IpAddress::parse(text).value(); }

TEST(ClientGate, CountsConnectionsOfOneClientAndOfAll) {
  ClientGate gate({std::nullopt, 3, 2});
  auto first = gate.admit("a", at("10.0.0.1"));
  auto const second = gate.admit("a", at("10.0.0.1"));
  EXPECT_EQ(gate.admit("a", at("10.0.0.1")).error(), TurnedAway::per_client);
  auto const other = gate.admit("b", at("10.0.0.2"));
  EXPECT_EQ(gate.admit("c", at("10.0.0.3")).error(), TurnedAway::total);
  EXPECT_EQ(gate.counts().open, 3U);
  first = ClientGate::Ticket();
  EXPECT_TRUE(gate.admit("a", at("10.0.0.1")));
  EXPECT_EQ(gate.counts().turned_away.at(static_cast<std::size_t>(TurnedAway::per_client)), 1U);
  EXPECT_EQ(gate.counts().turned_away.at(static_cast<std::size_t>(TurnedAway::total)), 1U);
  EXPECT_EQ(gate.counts().admitted, 4U);
}

TEST(ClientGate, StrangersAreTurnedAwayAndThisMachineIsNot) {
  ClientGate gate({std::vector{Cidr::parse("10.1.0.0/16").value()}, 10, 10});
  EXPECT_TRUE(gate.admit("10.1.2.3", at("10.1.2.3")));
  EXPECT_TRUE(gate.admit("127.0.0.1", at("127.0.0.1")));
  EXPECT_TRUE(gate.admit("::1", at("::1")));
  EXPECT_TRUE(gate.admit("uid 1000", std::nullopt));
  EXPECT_EQ(gate.admit("10.2.0.1", at("10.2.0.1")).error(), TurnedAway::client);
  EXPECT_EQ(gate.counts().open, 0U);
}

TEST(ClientGate, AnEmptyListIsThisMachineOnlyAndNoListIsEverybody) {
  ClientGate closed({std::vector<Cidr>{}, 10, 10});
  EXPECT_FALSE(closed.admit("10.0.0.1", at("10.0.0.1")));
  ClientGate open({});
  EXPECT_TRUE(open.admit("10.0.0.1", at("10.0.0.1")));
}

TEST(ClientGate, KnowsWhoSpeaksForOthers) {
  ClientGate const gate({std::nullopt, 10, 10, {Cidr::parse("10.1.0.0/16").value()}});
  EXPECT_TRUE(gate.is_balancer(at("10.1.2.3")));
  EXPECT_FALSE(gate.is_balancer(at("10.2.0.1")));
  EXPECT_FALSE(gate.is_balancer(std::nullopt)) << "a user of this machine";
  ClientGate const on_unix({std::nullopt, 10, 10, {}, true});
  EXPECT_TRUE(on_unix.is_balancer(std::nullopt));
  EXPECT_FALSE(on_unix.is_balancer(at("10.1.2.3")));
}

TEST(ClientGate, ThreadsTogetherGetNoMorePlaces) {
  ClientGate gate({std::nullopt, 1000, 3});
  std::atomic<int> open = 0, most = 0;
  auto const work = [&] {
    for (int i = 0; i < 20'000; ++i) {
      auto const ticket = gate.admit("a", at("10.0.0.1"));
      if (!ticket) continue;
      int const now = ++open;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {}
      --open;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  }
  auto const counts = gate.counts();
  EXPECT_LE(most, 3);
  EXPECT_EQ(counts.open, 0U);
  EXPECT_EQ(counts.admitted + counts.turned_away.at(static_cast<std::size_t>(TurnedAway::per_client)), 80'000U);
}

}  // namespace
}  // namespace sallyport::proxy
