#include "proxy/dialer.hpp"

#include "policies/engine.hpp"
#include "tests/proxy/loopback.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include <sys/socket.h>

#include <memory>
#include <optional>

namespace sallyport::proxy {
namespace {

using policies::AllowedEndpoint;

/// Endpoints of one allowed name, by way of the only mint there is.
std::vector<AllowedEndpoint> endpoints(std::vector<std::string> const& addresses, std::uint16_t port) {
  auto rule = std::make_shared<policies::Rule>();
  rule->hosts = {"a.example"};
  rule->ports = {port};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  rule->resolve.kind = policies::ResolveClass::cidrs;
  rule->resolve.cidrs = {policies::Cidr::parse("0.0.0.0/0").value(), policies::Cidr::parse("::/0").value()};
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policy->rules = {rule};
  policies::Engine const engine(policy);
  auto const target =
      engine.decide({policies::CanonicalHost::from("a.example").value(), port, policies::Scheme::tls, {}, {}});
  std::vector<policies::IpAddress> parsed;
  for (auto const& address : addresses) parsed.push_back(policies::IpAddress::parse(address).value());
  return engine.admit(target.value(), parsed).value();
}

awaitable<void> dial_into(std::optional<Result<Dialed>>& result, Dialer const& dialer, std::vector<AllowedEndpoint> to) {
  result.emplace(co_await dialer.connect(std::move(to)));
}

/// Without the socket, which belongs to an event loop that is gone.
struct Reached {
  AllowedEndpoint endpoint;
  std::chrono::microseconds took;
};

Result<Reached> dial(std::vector<AllowedEndpoint> to, DialTimes times) {
  asio::io_context io;
  Dialer const dialer(times);
  std::optional<Result<Dialed>> result;
  auto ended = asio::co_spawn(io, dial_into(result, dialer, std::move(to)), asio::use_future);
  io.run();
  ended.get();
  if (!*result) return result->error();
  return Reached{(*result)->endpoint, (*result)->took};
}

TEST(Dialer, FamiliesTakeTurnsBeginningWithIpv6) {
  std::vector<std::string> order;
  for (auto const& endpoint : interleave_families(endpoints({"192.0.2.1", "192.0.2.2", "2001:db8::1"}, 443))) {
    order.push_back(endpoint.address()->to_string());
  }
  EXPECT_EQ(order, (std::vector<std::string>{"2001:db8::1", "192.0.2.1", "192.0.2.2"}));
}

TEST(Dialer, NextAddressIsTriedAtOnceWhenOneRefuses) {
  tests::Origin origin(tests::echo);
  auto const started = std::chrono::steady_clock::now();
  auto const dialed =
      dial(endpoints({"127.0.0.9", "::1", "127.0.0.1"}, origin.port()), {std::chrono::hours(1), tests::kPatience});
  ASSERT_TRUE(dialed) << dialed.error().what;
  EXPECT_EQ(dialed->endpoint.address()->to_string(), "127.0.0.1");
  EXPECT_LT(std::chrono::steady_clock::now() - started, tests::kPatience);
}

TEST(Dialer, AllRefusedIsAnOsError) {
  auto const port = tests::port_of(tests::bound_socket(tests::SocketKind::stream));  // closed again
  auto const dialed = dial(endpoints({"127.0.0.1", "::1"}, port), {});
  ASSERT_FALSE(dialed);
  EXPECT_EQ(dialed.error().os_errno, ECONNREFUSED);
}

/// A port whose backlog is full: the kernel leaves the next connection without an answer.
class SilentPort {
 public:
  SilentPort() : listener_(tests::bound_socket(tests::SocketKind::stream)) {
    ::listen(listener_.get(), 0);
    filler_.push_back(tests::connect_to(port()));
  }
  std::uint16_t port() const { return tests::port_of(listener_); }

 private:
  UniqueFd listener_;
  std::vector<UniqueFd> filler_;
};

TEST(Dialer, NoAnswerInTimeIsALimit) {
  SilentPort silent;
  auto const dialed =
      dial(endpoints({"127.0.0.1"}, silent.port()), {std::chrono::milliseconds(10), std::chrono::milliseconds(50)});
  ASSERT_FALSE(dialed);
  EXPECT_EQ(dialed.error().code, Code::limit);
}

}  // namespace
}  // namespace sallyport::proxy
