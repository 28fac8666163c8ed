#include "policies/engine.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <type_traits>

namespace sallyport::policies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

static_assert(!std::is_constructible_v<AllowedTarget, CanonicalHost, std::uint16_t, Verdict,
                                       std::vector<std::shared_ptr<Rule const>>>);
static_assert(!std::is_constructible_v<AllowedEndpoint, IpAddress, CanonicalHost, std::uint16_t>);
static_assert(!std::is_default_constructible_v<AllowedTarget> && !std::is_default_constructible_v<AllowedEndpoint>);

Request tls(std::string_view host, std::uint16_t port = 443) {
  return {host_of(host), port, Scheme::tls, "", std::nullopt};
}
Request tunnel(std::string_view host, std::uint16_t port = 443) {
  return {host_of(host), port, Scheme::tunnel, "", std::nullopt};
}
Request http(std::string method, std::string_view host, std::string_view path, std::uint16_t port = 80) {
  return {host_of(host), port, Scheme::http, std::move(method), CanonicalPath::from(path).value()};
}

/// "allow:rule" or "reason:rule".
std::string answer(Engine const& engine, Request const& request) {
  auto const decision = engine.decide(request);
  auto const& verdict = decision ? decision->verdict() : decision.error();
  EXPECT_EQ(verdict.action == Action::allow, decision.has_value());
  EXPECT_EQ(verdict.hint.empty(), decision.has_value()) << "a refusal says what could be done";
  return (decision ? "allow" : verdict.reason) + ":" + verdict.rule;
}

std::string resolved(Engine const& engine, std::string_view name) {
  auto const verdict = engine.resolvable(host_of(name));
  return (verdict.action == Action::allow ? "allow" : verdict.reason) + ":" + verdict.rule;
}

TEST(Decide, WhatNoRuleNamesIsDenied) {
  Engine const engine(policy_of({"{name: r, hosts: [github.com], inspect: sni}"}));
  EXPECT_EQ(answer(engine, tls("github.com")), "allow:r");
  for (auto host : {"github.com.evil.com", "notgithub.com", "evilgithub.com", "www.github.com", "com", "g\u0456thub.com"}) {
    EXPECT_EQ(answer(engine, tls(host)), "no_rule:default") << host;
  }
  EXPECT_EQ(answer(engine, tls("GITHUB.com.")), "allow:r");
}

TEST(Decide, AnEmptyPolicyDeniesAll) {
  Engine const engine(load_text("version: 1\negress: []\n"));
  EXPECT_EQ(answer(engine, tls("github.com")), "network_none:default");
  EXPECT_EQ(answer(engine, tls("1.2.3.4")), "network_none:default");
  EXPECT_EQ(resolved(engine, "github.com"), "network_none:default");
  Engine const restricted(load_text("version: 1\nnetwork: restricted\n"));
  EXPECT_EQ(answer(restricted, tls("github.com")), "no_rule:default");
  Engine const full(load_text("version: 1\nnetwork: full\n"));
  EXPECT_EQ(answer(full, tls("github.com")), "no_rule:default") << "full allows '*', it is not a rule";
}

TEST(Decide, AddressesNeedARuleThatNamesThem) {
  Engine const engine(policy_of(
      {"{name: any, hosts: ['*'], inspect: sni}", "{name: ip, hosts: [8.8.8.8, '2606:4700::1111'], inspect: sni}"},
      "full"));
  EXPECT_EQ(answer(engine, tls("8.8.8.8")), "allow:ip");
  EXPECT_EQ(answer(engine, tls("[2606:4700:0::1111]")), "allow:ip");
  EXPECT_EQ(answer(engine, tls("::ffff:8.8.8.8")), "allow:ip");
  for (auto host : {"1.1.1.1", "127.0.0.1", "[::1]", "169.254.169.254", "0.0.0.0", "64:ff9b::8.8.8.8"}) {
    EXPECT_EQ(answer(engine, tls(host)), "ip_literal:default") << host;
  }
  EXPECT_EQ(answer(engine, tls("metadata.google.internal")), "allow:any")
      << "a name; the address guard refuses where it leads";
}

TEST(Decide, PortsAreExact) {
  Engine const engine(policy_of({"{name: r, hosts: [a.example], inspect: sni, ports: [443, 8443]}"}));
  EXPECT_EQ(answer(engine, tls("a.example", 8443)), "allow:r");
  for (std::uint16_t port : std::initializer_list<std::uint16_t>{22, 25, 80, 444, 6667})
    EXPECT_EQ(answer(engine, tls("a.example", port)), "port_not_allowed:r") << port;
  EXPECT_EQ(answer(engine, tunnel("a.example", 22)), "port_not_allowed:r");
}

TEST(Decide, MethodsAndPathsOfPlainHttp) {
  Engine const engine(
      policy_of({"{name: r, hosts: [a.example], ports: [80], methods: [GET, HEAD], paths: ['/simple/**']}"}));
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/simple/x/")), "allow:r");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/simple/x?y=/z")), "allow:r");
  EXPECT_EQ(answer(engine, http("POST", "a.example", "/simple/x")), "method_not_allowed:r");
  EXPECT_EQ(answer(engine, http("get", "a.example", "/simple/x")), "method_not_allowed:r");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/admin")), "path_not_allowed:r");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/%73imple/x")), "allow:r");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/x?/simple/x")), "path_not_allowed:r");
  EXPECT_EQ(answer(engine, tunnel("a.example", 80)), "allow:r") << "decided again when the request is known";
  EXPECT_EQ(answer(engine, tls("a.example", 80)), "inspection_unavailable:r");
}

TEST(Decide, NothingGoesToThePortOfHttpsInTheClear) {
  Engine const engine(policy_of({"{name: r, hosts: [a.example], ports: [80, 443, 8443], inspect: sni}"}));
  auto const to_port = [](std::uint16_t port) {
    auto request = http("GET", "a.example", "/");
    request.port = port;
    return request;
  };
  EXPECT_EQ(answer(engine, to_port(80)), "allow:r");
  EXPECT_EQ(answer(engine, to_port(8443)), "allow:r");
  EXPECT_EQ(answer(engine, to_port(443)), "not_tls:r");
  EXPECT_EQ(engine.decide(to_port(443)).error().hint, "Use https://a.example/: nothing goes to port 443 in the clear.");
}

TEST(Decide, TlsNeedsARuleThatLeavesItClosed) {
  Engine const engine(policy_of({"{name: plain, hosts: [a.example], ports: [80]}",
                                 "{name: sni, hosts: [b.example], ports: [80], inspect: sni}",
                                 "{name: limited, hosts: [c.example], ports: [80], inspect: sni, methods: [GET]}"}));
  EXPECT_EQ(answer(engine, tls("a.example", 80)), "inspection_unavailable:plain");
  EXPECT_EQ(answer(engine, tls("b.example", 80)), "allow:sni");
  EXPECT_EQ(answer(engine, tls("c.example", 80)), "inspection_unavailable:limited");
}

Request https(std::string method, std::string_view host, std::string_view path) {
  return {host_of(host), 443, Scheme::https, std::move(method), CanonicalPath::from(path).value()};
}
Request raw(std::string_view host, std::uint16_t port) { return {host_of(host), port, Scheme::raw, "", std::nullopt}; }

TEST(Decide, ARequestInsideTlsIsDecidedByItself) {
  Engine const engine(policy_of({"{name: npm, hosts: [a.example], methods: [GET, HEAD]}",
                                 "{name: audit, hosts: [a.example], methods: [POST], paths: [/-/npm/v1/security/**]}"}));
  EXPECT_EQ(answer(engine, https("GET", "a.example", "/@types%2fnode")), "allow:npm");
  EXPECT_EQ(answer(engine, https("POST", "a.example", "/-/npm/v1/security/advisories/bulk")), "allow:audit");
  EXPECT_EQ(answer(engine, https("PUT", "a.example", "/x")), "method_not_allowed:audit");
  EXPECT_EQ(answer(engine, https("POST", "a.example", "/-/npm/v1/tokens")), "path_not_allowed:audit");
  EXPECT_EQ(answer(engine, tunnel("a.example")), "allow:audit") << "decided again when the request is known";
  EXPECT_EQ(answer(engine, tls("a.example")), "inspection_unavailable:audit") << "closed TLS could be anything";
}

TEST(Decide, AWebSocketUnderARuleWithMethodsIsRefusedWithWhatWouldAllowIt) {
  Engine const engine(policy_of({"{name: fetch, hosts: [a.example], methods: [GET]}"}));
  auto request = https("GET", "a.example", "/live");
  request.upgrade = Upgrade::websocket;
  auto const verdict = engine.decide(request).error();
  EXPECT_EQ(verdict.reason, reason::kWebSocket);
  EXPECT_THAT(verdict.hint, ::testing::HasSubstr("rule fetch would have to say websocket: true"));
}

TEST(Decide, GitReadsAndDoesNotPush) {
  Engine const engine(policy_of({"{name: g, hosts: [git.example], git: {repos: ['team/*']}}"}));
  EXPECT_EQ(answer(engine, https("GET", "git.example", "/team/x.git/info/refs?service=git-upload-pack")), "allow:g");
  EXPECT_EQ(answer(engine, https("POST", "git.example", "/team/x.git/git-receive-pack")), "git_write_not_allowed:g");
  EXPECT_EQ(answer(engine, https("POST", "git.example", "/else/x.git/git-upload-pack")), "git_repo_not_allowed:g");
  EXPECT_EQ(answer(engine, https("GET", "git.example", "/team/x/settings")), "path_not_allowed:g");
}

TEST(Decide, ADenyRuleActsOnAnyOfSeveralValues) {
  Engine const engine(policy_of({"{name: all, hosts: [a.example]}",
                                 "{name: no, hosts: [a.example], query: {upload: '1'}, action: deny}"}));
  EXPECT_EQ(answer(engine, https("GET", "a.example", "/x?upload=0")), "allow:all");
  EXPECT_EQ(answer(engine, https("GET", "a.example", "/x?upload=0&upload=1")), "rule_denies:no");
  EXPECT_EQ(answer(engine, https("GET", "a.example", "/x?%75pload=1")), "rule_denies:no");
}

TEST(Decide, RawBytesNeedARuleThatSaysSo) {
  Engine const engine(policy_of({"{name: ssh, hosts: [a.example], ports: [22], inspect: raw}", "{name: sni, hosts: [a.example], inspect: sni}"}));
  EXPECT_EQ(answer(engine, raw("a.example", 22)), "allow:ssh");
  EXPECT_EQ(answer(engine, raw("a.example", 443)), "inspection_unavailable:sni");
  EXPECT_EQ(answer(engine, raw("a.example", 80)), "port_not_allowed:sni");
}

TEST(Inspection, TheMostSpecificRuleDecidesAndOfEqualsTheStrictest) {
  Engine const engine(policy_of({"{name: tree, hosts: ['**.example.com']}", "{name: pinned, hosts: [pin.example.com], inspect: sni}",
                                 "{name: twice, hosts: [two.example.com], inspect: sni}", "{name: full, hosts: [two.example.com]}",
                                 "{name: ssh, hosts: [git.example.com], ports: [22], inspect: raw}",
                                 "{name: gone, hosts: [gone.example.com], action: deny}"}));
  EXPECT_EQ(engine.inspection(host_of("www.example.com"), 443), Inspect::full);
  EXPECT_EQ(engine.inspection(host_of("pin.example.com"), 443), Inspect::sni);
  EXPECT_EQ(engine.inspection(host_of("two.example.com"), 443), Inspect::full);
  EXPECT_EQ(engine.inspection(host_of("git.example.com"), 22), Inspect::raw);
  EXPECT_EQ(engine.inspection(host_of("git.example.com"), 443), Inspect::full);
  EXPECT_EQ(engine.inspection(host_of("other.example"), 443), Inspect::full) << "nothing is closed unless a rule says so";
  EXPECT_EQ(answer(engine, tls("pin.example.com")), "allow:pinned");
  EXPECT_EQ(answer(engine, tls("two.example.com")), "inspection_unavailable:twice");
}

TEST(Inspection, ADenyRuleThatNeedsTheRequestOpensTheConnection) {
  Engine const engine(policy_of({"{name: sni, hosts: [a.example], inspect: sni}",
                                 "{name: put, hosts: ['**.example'], methods: [PUT], action: deny}"}));
  EXPECT_EQ(engine.inspection(host_of("a.example"), 443), Inspect::full);
  EXPECT_EQ(answer(engine, https("PUT", "a.example", "/")), "rule_denies:put");
  EXPECT_EQ(answer(engine, https("GET", "a.example", "/")), "allow:sni");
  EXPECT_EQ(answer(engine, tls("a.example")), "inspection_unavailable:sni") << "nobody can see whether it is a PUT";
}

TEST(Engine, KnowsWhatItsRulesRead) {
  Engine const plain(policy_of({"{hosts: [a.example], query: {a: b}}"}));
  EXPECT_FALSE(plain.reads_headers() || plain.reads_process());
  EXPECT_TRUE(Engine(policy_of({"{hosts: [a.example], headers: {a: b}}"})).reads_headers());
}

TEST(Decide, DenyBeatsAskBeatsAllowInAnyOrder) {
  std::vector<std::string> rules = {
      "{name: allow, hosts: ['**.example.com'], inspect: sni}",
      "{name: ask, hosts: ['*.ask.example.com', b.deny.example.com], action: ask, inspect: sni}",
      "{name: deny, hosts: ['*.deny.example.com'], action: deny}"};
  do {
    Engine const engine(policy_of(rules));
    EXPECT_EQ(answer(engine, tls("example.com")), "allow:allow");
    EXPECT_EQ(answer(engine, tls("a.ask.example.com")), "needs_approval:ask");
    EXPECT_EQ(answer(engine, tls("b.deny.example.com")), "rule_denies:deny");
    EXPECT_EQ(answer(engine, tunnel("a.deny.example.com")), "rule_denies:deny");
    EXPECT_EQ(answer(engine, tls("deny.example.com")), "allow:allow");
  } while (std::next_permutation(rules.begin(), rules.end()));
}

TEST(Decide, ADenyRuleActsOnlyOnWhatItNames) {
  Engine const engine(
      policy_of({"{name: allow, hosts: [a.example], ports: [80, 443], inspect: sni}",
                 "{name: port, hosts: [a.example], ports: [8080], action: deny}",
                 "{name: put, hosts: [a.example], ports: [80], methods: [PUT], paths: ['/api/**'], action: deny}"}));
  EXPECT_EQ(answer(engine, tls("a.example")), "allow:allow");
  EXPECT_EQ(answer(engine, http("PUT", "a.example", "/api/x")), "rule_denies:put");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/api/x")), "allow:allow");
  EXPECT_EQ(answer(engine, http("PUT", "a.example", "/x")), "allow:allow");
  EXPECT_EQ(answer(engine, tunnel("a.example", 80)), "allow:allow");
  EXPECT_EQ(answer(engine, tls("a.example", 80)), "inspection_unavailable:allow") << "nobody can see whether it is a PUT";
}

TEST(Decide, TheClosestRuleGivesTheReason) {
  Engine const engine(policy_of({"{name: port, hosts: [a.example], ports: [8080], inspect: sni}",
                                 "{name: method, hosts: [a.example], ports: [80], methods: [GET]}",
                                 "{name: path, hosts: ['*.example'], ports: [80], paths: [/only], public_suffix: true}"}));
  EXPECT_EQ(answer(engine, http("PUT", "a.example", "/x")), "path_not_allowed:path");
  EXPECT_EQ(answer(engine, http("GET", "a.example", "/x")), "allow:method");
  EXPECT_EQ(answer(engine, http("PUT", "a.example", "/x", 81)), "port_not_allowed:method") << "equals by name";
}

TEST(Decide, AHostThatOnlyADenyRuleNamesHasNoRule) {
  Engine const engine(policy_of({"{name: d, hosts: [a.example], ports: [80], action: deny}"}));
  EXPECT_EQ(answer(engine, tls("a.example")), "no_rule:default");
}

TEST(Decide, VerdictNamesFileAndLine) {
  Engine const engine(policy_of({"{name: r, hosts: [a.example], inspect: sni}"}));
  auto const decision = engine.decide(tls("a.example"));
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->verdict(), (Verdict{Action::allow, "r", "allowed", "", "p.yaml", 4}));
  EXPECT_EQ(decision->host().str(), "a.example");
  EXPECT_EQ(decision->port(), 443);
  EXPECT_EQ(decision->rule().name, "r");
}

std::vector<std::string> admitted(Engine const& engine, std::string_view host, std::vector<std::string_view> const& texts) {
  std::vector<IpAddress> addresses;
  for (auto text : texts) addresses.push_back(address_of(text));
  auto const target = engine.decide(tls(host));
  if (!target) return {"refused"};
  auto const endpoints = engine.admit(*target, addresses);
  if (!endpoints) return {endpoints.error().reason, endpoints.error().rule};
  std::vector<std::string> kept;
  for (auto const& endpoint : *endpoints)
    kept.push_back(endpoint.address()->to_string() + ":" + std::to_string(endpoint.port()));
  return kept;
}

TEST(Admit, KeepsWhatTheRuleAdmitsInOrder) {
  Engine const engine(policy_of({"{name: r, hosts: [a.example], inspect: sni}"}));
  EXPECT_THAT(admitted(engine, "a.example", {"2606:4700::1", "10.0.0.1", "8.8.8.8", "::1"}),
              ElementsAre("2606:4700::1:443", "8.8.8.8:443"));
}

TEST(Admit, RefusesANameThatLeadsInside) {
  Engine const engine(policy_of({"{name: r, hosts: [a.example], inspect: sni}"}));
  for (auto address : {"127.0.0.1", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "::1", "100.64.0.1", "fd00:ec2::254",
                       "0.0.0.0", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "198.18.0.1", "255.255.255.255", "224.0.0.1"}) {
    EXPECT_THAT(admitted(engine, "a.example", {address}), ElementsAre("address_class", "r")) << address;
  }
  EXPECT_THAT(admitted(engine, "a.example", {}), ElementsAre("address_class", "r"));
}

TEST(Admit, OptsInPerNameAndBlock) {
  Engine const engine(policy_of({"{name: all, hosts: ['**.corp.example'], inspect: sni}",
                                 "{name: git, hosts: [git.corp.example], inspect: sni, resolve: [10.1.0.0/16]}",
                                 "{name: meta, hosts: [m.example], inspect: sni, resolve: [169.254.169.254]}"}));
  EXPECT_THAT(admitted(engine, "git.corp.example", {"10.1.2.3", "10.2.0.1", "8.8.8.8"}),
              ElementsAre("10.1.2.3:443", "8.8.8.8:443"))
      << "what any rule that allows the request admits";
  EXPECT_THAT(admitted(engine, "www.corp.example", {"10.1.2.3"}), ElementsAre("address_class", "all"));
  EXPECT_THAT(admitted(engine, "m.example", {"169.254.169.254", "169.254.169.253"}), ElementsAre("169.254.169.254:443"));
}

TEST(Admit, ANamedAddressIsOnlyItself) {
  Engine const engine(
      policy_of({"{hosts: [8.8.8.8], inspect: sni}", "{hosts: [10.0.0.5], inspect: sni, resolve: [10.0.0.0/24]}"}));
  EXPECT_THAT(admitted(engine, "8.8.8.8", {"8.8.8.8"}), ElementsAre("8.8.8.8:443"));
  EXPECT_THAT(admitted(engine, "10.0.0.5", {"10.0.0.6", "10.0.0.5"}), ElementsAre("10.0.0.5:443"));
  EXPECT_THAT(admitted(engine, "8.8.8.8", {"8.8.4.4"}), ElementsAre("address_class", "8.8.8.8"));
}

TEST(Pinned, LeadsWhereTheOperatorSaid) {
  Engine const engine(policy_of({"{hosts: [a.example], inspect: sni, ports: [443, 8443]}"}),
                      {parse_pin("a.example:443:127.0.0.1:9443").value(), parse_pin("a.example:*:[::1]").value(),
                       parse_pin("b.example:443:127.0.0.1").value()});
  auto const one = engine.pinned(engine.decide(tls("a.example")).value());
  ASSERT_TRUE(one);
  EXPECT_EQ(one->address()->to_string(), "127.0.0.1");
  EXPECT_EQ(one->port(), 9443);
  auto const other = engine.pinned(engine.decide(tls("a.example", 8443)).value());
  ASSERT_TRUE(other);
  EXPECT_EQ(other->address()->to_string(), "::1");
  EXPECT_EQ(other->port(), 8443);
  EXPECT_EQ(answer(engine, tls("b.example")), "no_rule:default") << "a pin allows nothing";
}

TEST(Unresolved, ReachesByNameOnlyWhatTheUpstreamProxyLooksUp) {
  auto const route = std::make_shared<UpstreamRoute const>(
      UpstreamRoute{parse_upstream_proxy("http://proxy.example:3128").value(), DirectHosts::parse("direct.example").value()});
  Engine const engine(policy_of({"{hosts: [a.example, pinned.example, direct.example, 8.8.8.8], inspect: sni}"}),
                      {parse_pin("pinned.example:443:127.0.0.1").value()}, route);
  auto const unresolved = engine.unresolved(engine.decide(tls("a.example")).value());
  ASSERT_TRUE(unresolved);
  EXPECT_FALSE(unresolved->address());
  EXPECT_EQ(unresolved->host().str(), "a.example");
  EXPECT_EQ(unresolved->port(), 443);
  EXPECT_EQ(unresolved->via().get(), &route->proxy);
  for (auto host : {"pinned.example", "direct.example", "8.8.8.8"}) EXPECT_FALSE(engine.unresolved(engine.decide(tls(host)).value())) << host;
  EXPECT_EQ(answer(engine, tls("b.example")), "no_rule:default") << "an upstream proxy allows nothing";
}

TEST(Unresolved, IsNothingWhereNamesAreLookedUpHere) {
  auto const route = std::make_shared<UpstreamRoute const>(UpstreamRoute{parse_upstream_proxy("socks5://proxy.example:1080").value(), {}});
  Engine const engine(policy_of({"{name: r, hosts: [a.example], inspect: sni}"}), {}, route);
  auto const target = engine.decide(tls("a.example")).value();
  EXPECT_FALSE(engine.unresolved(target));
  std::vector const addresses{address_of("127.0.0.1"), address_of("8.8.8.8")};
  auto const endpoints = engine.admit(target, addresses).value();
  ASSERT_EQ(endpoints.size(), 1U) << "the address guard has its say";
  EXPECT_EQ(endpoints.front().address()->to_string(), "8.8.8.8");
  EXPECT_EQ(endpoints.front().via().get(), &route->proxy);
}

TEST(Resolvable, IsWhatSomeRuleCouldAllow) {
  Engine const engine(policy_of({"{name: allow, hosts: ['**.example.com'], ports: [80]}",
                                 "{name: ask, hosts: [ask.example.org], ports: [80], action: ask}",
                                 "{name: deny, hosts: [deny.example.com], action: deny}",
                                 "{name: some, hosts: [some.example.com], ports: [80], methods: [PUT], action: deny}",
                                 "{name: port, hosts: [port.example.com], ports: [80], action: deny}"}));
  EXPECT_EQ(resolved(engine, "example.com"), "allow:allow");
  EXPECT_EQ(resolved(engine, "some.example.com"), "allow:allow");
  EXPECT_EQ(resolved(engine, "deny.example.com"), "rule_denies:deny");
  EXPECT_EQ(resolved(engine, "port.example.com"), "rule_denies:port");
  EXPECT_EQ(resolved(engine, "ask.example.org"), "needs_approval:ask");
  EXPECT_EQ(resolved(engine, "example.org"), "no_rule:default");
}

TEST(Decide, StaysFlatWithAHundredThousandRules) {
  auto policy = std::make_shared<Policy>();
  policy->network = Network::restricted;
  for (int i = 0; i < 100'000; ++i) {
    auto rule = std::make_shared<Rule>();
    rule->name = "r" + std::to_string(i);
    rule->hosts = {(i % 3 == 0 ? "*." : "") + ("host" + std::to_string(i)) + ".example.com"};
    rule->ports = {443};
    rule->inspect = Inspect::sni;
    rule->action = Action::allow;
    policy->rules.push_back(std::move(rule));
  }
  Engine const engine(policy);
  auto const hit = tls("host77777.example.com");
  auto const miss = tls("host77777.example.org");
  ASSERT_EQ(answer(engine, hit), "allow:r77777");
  ASSERT_EQ(answer(engine, miss), "no_rule:default");
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(engine.decide(hit).has_value() && !engine.decide(miss).has_value());
  auto const each = (std::chrono::steady_clock::now() - start) / 2'000;
  EXPECT_LT(each, std::chrono::microseconds(100)) << "a linear scan takes milliseconds";
}

}  // namespace
}  // namespace sallyport::policies
