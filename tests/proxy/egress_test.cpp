#include "proxy/egress.hpp"

#include "proxy/egress_record.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/tenant_parts.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

/// One rule for a.example, which the hosts file has at 127.0.0.1. `at`: another port than the server's.
struct EgressBench {
  explicit EgressBench(std::vector<std::string> const& resolve = {}, tests::Writing writing = tests::Writing::at_once, std::optional<std::uint16_t> at = {})
      : port(at.value_or(origin.port())), parts("127.0.0.1 a.example\n", writing) {
    auto rule = std::make_shared<policies::Rule>();
    rule->name = "only";
    rule->hosts = {"a.example"};
    rule->ports = {port};
    rule->inspect = policies::Inspect::raw;
    if (!resolve.empty()) rule->resolve.kind = policies::ResolveClass::cidrs;
    for (auto const& block : resolve) rule->resolve.cidrs.push_back(policies::Cidr::parse(block).value());
    auto policy = std::make_shared<policies::Policy>();
    policy->network = policies::Network::restricted;
    policy->rules = {rule};
    tenant = std::make_unique<Tenant>(TenantOptions{"", policy}, parts.shared());
  }

  policies::AllowedTarget permit() {
    policies::Request request{policies::CanonicalHost::from("a.example").value(), port, policies::Scheme::raw, {}, std::nullopt};
    return tenant->engine().decide(request).value();
  }
  Attempt<Endpoints> endpoints() {
    deps.emplace(tenant->session_deps());
    return tests::run(parts.io, find_endpoints(permit(), *deps));
  }
  Attempt<Upstream> dialled() {
    auto found = endpoints();
    return tests::run(parts.io, record_and_dial(audit::EgressRequest{}, found.value(), Passage::tunnel, *deps));
  }

  tests::Origin origin{tests::echo};
  std::uint16_t port;
  tests::TenantParts parts;
  std::unique_ptr<Tenant> tenant;
  std::optional<SessionDeps> deps;
};

TEST(Egress, AddressOfThisMachineIsRefusedWhereNoRuleNamesIt) {
  EgressBench bench;
  auto const found = bench.endpoints();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().status, 403);
  EXPECT_EQ(found.error().verdict.reason, reason::kAddressClass);
}

TEST(Egress, AdmittedAddressIsDialledAndNamed) {
  EgressBench bench({"127.0.0.0/8"});
  auto const upstream = bench.dialled();
  ASSERT_TRUE(upstream);
  EXPECT_EQ(upstream->address->to_string(), "127.0.0.1");
  EXPECT_EQ(bench.parts.audit.wait_for<audit::EgressRequest>(1).size(), 1U);
}

TEST(Egress, WithoutARecordThereIsNoConnection) {
  EgressBench bench({"127.0.0.0/8"}, tests::Writing::failing);
  auto const upstream = bench.dialled();
  ASSERT_FALSE(upstream);
  EXPECT_EQ(upstream.error().status, 502);
  EXPECT_EQ(upstream.error().verdict.reason, reason::kInternal);
}

TEST(Egress, ServerThatIsNotThereIsABadGateway) {
  auto const nobodys = tests::port_of(tests::bound_socket(tests::SocketKind::stream));
  EgressBench bench({"127.0.0.0/8"}, tests::Writing::at_once, nobodys);
  auto const upstream = bench.dialled();
  ASSERT_FALSE(upstream);
  EXPECT_EQ(upstream.error().status, 502);
  EXPECT_EQ(upstream.error().verdict.reason, reason::kConnectFailed);
  EXPECT_EQ(bench.parts.audit.wait_for<audit::EgressRequest>(1).size(), 1U) << "the verdict stays on record";
}

}  // namespace
}  // namespace sallyport::proxy
