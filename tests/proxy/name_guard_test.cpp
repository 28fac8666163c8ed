#include "proxy/name_guard.hpp"

#include "dlp/example.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace sallyport::proxy {
namespace {

using testing::HasSubstr;
using testing::Not;

policies::CanonicalHost host(std::string const& name) { return policies::CanonicalHost::from(name).value(); }

std::shared_ptr<policies::Policy const> policy(std::optional<policies::DlpAction> dlp) {
  auto rule = std::make_shared<policies::Rule>();
  rule->name = "wild";
  rule->hosts = {"**.example.com", "0123456789abcdef0123456789abcdef01234567.example.com"};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  rule->dlp = dlp;
  auto made = std::make_shared<policies::Policy>();
  made->network = policies::Network::restricted;
  made->rules = {rule};
  return made;
}

struct Bench {
  explicit Bench(std::optional<policies::DlpAction> dlp = std::nullopt) : engine(policy(dlp)) {}
  bool passes(std::string const& name) { return guard.check(host(name), "wild", name).has_value(); }

  asio::io_context io;
  tests::FakeAudit audit{io};
  policies::Engine engine;
  Trails trails;
  DlpInspection inspection{engine.policy().dlp, DlpOptions{known(), "salt"}, trails, audit};
  NameBudget budget;
  NameGuard guard{engine, inspection, budget, audit};
  std::string secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();

  static std::shared_ptr<dlp::KnownValues const> known() {
    return std::make_shared<dlp::KnownValues const>(std::vector<dlp::KnownValue>{{"DB_PASSWORD", "Hunter2-Hunter2-XY"}},
                                                    "salt");
  }
};

TEST(NameGuard, SecretInANameIsRefusedAndRecordedWithoutIt) {
  Bench bench;
  EXPECT_TRUE(bench.passes("www.example.com"));
  EXPECT_FALSE(bench.passes(bench.secret + ".example.com"));
  EXPECT_FALSE(bench.passes("hunter2-hunter2-xy.example.com")) << "a known value, as names are written";
  auto const why = bench.guard.check(host(bench.secret + ".example.com"), "wild").error();
  EXPECT_EQ(why.code, Code::denied);
  EXPECT_THAT(why.what, Not(HasSubstr(bench.secret.substr(4, 12))));
  auto const found = bench.audit.wait_for<audit::DlpFinding>(1);
  EXPECT_EQ(found[0].host, "example.com");
  EXPECT_EQ(found[0].place, "dns");
}

TEST(NameGuard, ActionOfTheRuleIsWhatIsDone) {
  Bench alert(policies::DlpAction::alert), off(policies::DlpAction::off);
  EXPECT_TRUE(alert.passes(alert.secret + ".example.com"));
  EXPECT_EQ(alert.audit.wait_for<audit::DlpFinding>(1).size(), 1U);
  EXPECT_TRUE(off.passes(off.secret + ".example.com"));
}

TEST(NameGuard, TunnelThroughAWildcardRunsDryAndSaysSoOnce) {
  Bench bench;
  dlp::ExampleRandom random(3);
  int passed = 0;
  for (int i = 0; i < 200; ++i)
    passed += bench.passes(random.text("abcdefghijklmnopqrstuvwxyz234567", 60) + ".example.com");
  EXPECT_LT(passed, 100);
  auto const hits = bench.audit.wait_for<audit::LimitHit>(1);
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].limit, "names_below_domain");
  EXPECT_TRUE(bench.passes("www.example.com"));
  EXPECT_TRUE(bench.passes("0123456789abcdef0123456789abcdef01234567.example.com")) << "a rule says it in full";
}

class CountingResolver final : public Resolver {
 public:
  awaitable<Result<std::vector<policies::IpAddress>>> resolve(policies::AllowedTarget) override {
    ++asked;
    co_return std::vector<policies::IpAddress>{policies::IpAddress::from_v4({192, 0, 2, 1})};
  }
  int asked = 0;
};

TEST(GuardedResolver, NameForTheUpstreamProxyIsJudgedAndNotLookedUpHere) {
  Bench bench;
  auto const route = std::make_shared<policies::UpstreamRoute const>(
      policies::UpstreamRoute{policies::parse_upstream_proxy("http://proxy.example:3128").value(), {}});
  policies::Engine const engine(policy(std::nullopt), {}, route);
  CountingResolver inner;
  GuardedResolver resolver(inner, bench.guard, engine);
  for (auto const& [name, passes] : std::vector<std::pair<std::string, bool>>{{bench.secret, false}, {"www", true}}) {
    auto const permit = engine.decide({host(name + ".example.com"), 443, policies::Scheme::tls, {}, {}}).value();
    auto answer = asio::co_spawn(bench.io, resolver.resolve(permit), asio::use_future);
    bench.io.restart();
    bench.io.run();
    EXPECT_EQ(answer.get().has_value(), passes) << name;
    EXPECT_EQ(inner.asked, 0);
  }
}

TEST(GuardedResolver, RefusedNameIsNotLookedUp) {
  Bench bench;
  CountingResolver inner;
  GuardedResolver resolver(inner, bench.guard, bench.engine);
  for (auto const& [name, asked] : std::vector<std::pair<std::string, int>>{{bench.secret, 0}, {"www", 1}}) {
    policies::Request request{host(name + ".example.com"), 443, policies::Scheme::tls, {}, {}};
    auto permit = bench.engine.decide(request);
    ASSERT_TRUE(permit);
    auto answer = asio::co_spawn(bench.io, resolver.resolve(*permit), asio::use_future);
    bench.io.restart();
    bench.io.run();
    EXPECT_EQ(answer.get().has_value(), asked == 1);
    EXPECT_EQ(inner.asked, asked);
  }
}

}  // namespace
}  // namespace sallyport::proxy
