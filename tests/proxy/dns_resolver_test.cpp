#include "proxy/dns_resolver.hpp"

#include "policies/engine.hpp"
#include "tests/proxy/name_server.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sallyport::proxy {
namespace {

/// Permission for `host`, by way of the only mint there is.
policies::AllowedTarget allowed(std::string const& host) {
  auto rule = std::make_shared<policies::Rule>();
  rule->hosts = {host};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policy->rules = {rule};
  auto const name = policies::CanonicalHost::from(host).value();
  return policies::Engine(policy).decide({name, 443, policies::Scheme::tls, {}, {}}).value();
}

struct Fixture {
  tests::NameServer server{{{"dns.example", {"192.0.2.1"}}, {"both.example", {"192.0.2.2"}}}};
  asio::io_context io;
  std::unique_ptr<CaresChannel> channel = CaresChannel::make(io.get_executor(), {server.address()}).value();
  TaskSet lookups{io.get_executor(), [](std::exception_ptr) {}};
  Metrics metrics;
  DnsCache cache{*channel, lookups, metrics};
  DnsResolver resolver{HostsFile::parse("192.0.2.9 hosts.example both.example\n"), cache};

  /// The addresses, or "error".
  std::string resolve(std::string const& host) {
    auto const found = tests::run(io, resolver.resolve(allowed(host)));
    if (!found) return "error";
    std::string texts;
    for (auto const& address : *found) texts += (texts.empty() ? "" : " ") + address.to_string();
    return texts;
  }
};

TEST(DnsResolver, HostsFileComesFirst) {
  Fixture fixture;
  EXPECT_EQ(fixture.resolve("hosts.example"), "192.0.2.9");
  EXPECT_EQ(fixture.resolve("both.example"), "192.0.2.9");
  EXPECT_EQ(fixture.server.questions(), 0);
}

TEST(DnsResolver, OtherNamesAreAskedFor) {
  Fixture fixture;
  EXPECT_EQ(fixture.resolve("dns.example"), "192.0.2.1");
  EXPECT_GT(fixture.server.questions(), 0);
}

TEST(DnsResolver, AddressNeedsNoServer) {
  Fixture fixture;
  EXPECT_EQ(fixture.resolve("192.0.2.5"), "192.0.2.5");
  EXPECT_EQ(fixture.server.questions(), 0);
}

TEST(DnsResolver, UnknownNameIsAnError) { EXPECT_EQ(Fixture().resolve("missing.example"), "error"); }

}  // namespace
}  // namespace sallyport::proxy
