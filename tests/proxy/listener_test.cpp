#include "proxy/listener.hpp"

#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/tenant_parts.hpp"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace sallyport::proxy {
namespace {

using testing::StartsWith;

std::vector<TenantOptions> nobody_and_lab() {
  std::vector<TenantOptions> all;
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  all.push_back({"", policy});
  all.push_back({"lab", policy});
  all.back().clients.push_back(policies::Cidr::parse("10.1.0.0/16").value());
  return all;
}

/// A listener that runs in this thread, and a client in another.
class ListenerTest : public testing::Test {
 protected:
  /// What runs refers to members that go before the loop does.
  ~ListenerTest() override {
    live_.cancel_all();
    services_.cancel_all();
    parts_.io.restart();
    while (live_.size() + services_.size() > 0 && parts_.io.run_one() != 0) {}
  }

  /// `owner`: whose own it is; empty: nobody's.
  void listen(ClientRules rules, std::string const& owner = {}) {
    auto socket = tests::bound_socket(tests::SocketKind::stream);
    port_ = tests::port_of(socket);
    gate_ = std::make_unique<ClientGate>(std::move(rules));
    auto* const tenant = owner.empty() ? nullptr : tenants_.find(owner);
    listener_.emplace(Listener::adopt(parts_.io, std::move(socket), Door::explicit_proxy, ListenerDeps{tenants_, tenant, live_, destinations_, *gate_}).value());
    services_.start(listener_->run());
  }
  void while_it_runs(std::function<void()> client) {
    std::thread thread([&] {
      client();
      asio::post(parts_.io, [this] { parts_.io.stop(); });
    });
    auto const work = asio::make_work_guard(parts_.io);
    parts_.io.run();
    thread.join();
  }
  std::string ask(std::string const& bytes) const {
    auto const client = tests::connect_to(port_);
    tests::send_all(client.get(), bytes);
    return tests::receive_to_end(client.get());
  }
  std::vector<audit::LimitHit> limit_hits() { return parts_.audit.wait_for<audit::LimitHit>(0); }

  static constexpr char kRequest[] = "CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n";
  tests::TenantParts parts_;
  Tenants tenants_{nobody_and_lab(), parts_.shared()};
  TaskSet live_{parts_.io.get_executor(), [](std::exception_ptr) {}};
  TaskSet services_{parts_.io.get_executor(), [](std::exception_ptr) {}};
  KernelOriginalDestination destinations_;
  std::unique_ptr<ClientGate> gate_;
  std::optional<Listener> listener_;
  std::uint16_t port_ = 0;
};

TEST_F(ListenerTest, ServesWhomTheGateAdmits) {
  listen({});
  std::string answer;
  while_it_runs([&] { answer = ask(kRequest); });
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 403 "));
  EXPECT_EQ(gate_->counts().admitted, 1U);
  EXPECT_TRUE(limit_hits().empty());
}

TEST_F(ListenerTest, TurnsAwayWhatIsTooMuchAndSaysSoOnceASecond) {
  listen({std::nullopt, 1, 1});
  tests::End second = tests::End::none, third = tests::End::none;
  while_it_runs([&] {
    auto const first = tests::connect_to(port_);
    second = tests::wait_end(tests::connect_to(port_).get());
    third = tests::wait_end(tests::connect_to(port_).get());
  });
  EXPECT_EQ(second, tests::End::reset);
  EXPECT_EQ(third, tests::End::reset);
  ASSERT_EQ(limit_hits().size(), 1U);
  EXPECT_EQ(limit_hits()[0].limit, "connections");
}

TEST_F(ListenerTest, OwnListenerOfATenantIsForItsClients) {
  listen({}, "lab");
  tests::End end = tests::End::none;
  while_it_runs([&] { end = tests::wait_end(tests::connect_to(port_).get()); });
  EXPECT_EQ(end, tests::End::reset);
  ASSERT_EQ(limit_hits().size(), 1U);
  EXPECT_EQ(limit_hits()[0].limit, "client_not_allowed");
}

TEST_F(ListenerTest, BalancerThatNamesNoClientIsTurnedAway) {
  listen({std::nullopt, 10, 10, {policies::Cidr::parse("127.0.0.0/8").value()}});
  std::string answer = "none";
  while_it_runs([&] { answer = ask(kRequest); });
  EXPECT_EQ(answer, "");
  ASSERT_EQ(limit_hits().size(), 1U);
  EXPECT_EQ(limit_hits()[0].limit, "proxy_protocol");
}

TEST_F(ListenerTest, AcceptsNoMoreWhenItIsStopped) {
  listen({});
  listener_->stop();
  parts_.io.run_for(std::chrono::milliseconds(20));
  EXPECT_EQ(services_.size(), 0U) << "run() has ended";
  EXPECT_ANY_THROW(tests::connect_to(port_));
}

}  // namespace
}  // namespace sallyport::proxy
