#include "policies/yaml_rule.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

std::optional<Rule> read(std::string const& text, Problems& problems) {
  auto const root = parse_yaml("p", text, problems);
  return root ? read_rule(*root, problems) : std::nullopt;
}

Rule ok(std::string const& text) {
  Problems problems;
  auto const rule = read(text, problems);
  for (auto const& problem : problems) ADD_FAILURE() << text << ": " << to_string(problem);
  return rule.value_or(Rule{});
}

/// Refused, by a problem that says `advice`.
void bad(std::string const& text, std::string_view advice) {
  Problems problems;
  EXPECT_FALSE(read(text, problems)) << text;
  std::string all;
  for (auto const& problem : problems) all += to_string(problem) + "\n";
  EXPECT_NE(all.find(advice), std::string::npos) << text << " gave\n" << all;
}

TEST(ReadRule, HasSafeDefaults) {
  auto const rule = ok("{hosts: [Example.com], inspect: sni}");
  EXPECT_EQ(rule.hosts, std::vector<std::string>{"example.com"});
  EXPECT_EQ(rule.ports, std::vector<std::uint16_t>{443});
  EXPECT_EQ(rule.action, Action::allow);
  EXPECT_EQ(rule.resolve.kind, ResolveClass::public_);
  EXPECT_TRUE(rule.methods.empty());
  EXPECT_EQ(rule.place, (Place{"p", 1, 1}));
}

TEST(ReadRule, ADenyRuleCoversEveryPortAndNeedsNoInspection) {
  auto const rule = ok("{hosts: ['*.com'], action: deny}");
  EXPECT_EQ(rule.action, Action::deny);
  EXPECT_TRUE(rule.ports.empty());
}

TEST(ReadRule, ReadsEveryKey) {
  auto const rule =
      ok("{name: r-1, hosts: ['*.example.com'], ports: [80], inspect: full, methods: [GET, M-SEARCH], paths: ['/%61/**'],"
         " action: ask, resolve: [10.0.0.0/8, 'fd00:1::/32'], public_suffix: false}");
  EXPECT_EQ(rule.name, "r-1");
  EXPECT_EQ(rule.methods, (std::vector<std::string>{"GET", "M-SEARCH"}));
  EXPECT_EQ(rule.paths, std::vector<std::string>{"/a/**"});
  EXPECT_EQ(rule.action, Action::ask);
  EXPECT_EQ(rule.resolve.cidrs.size(), 2u);
  EXPECT_EQ(ok("{hosts: [x.example], ports: [80], resolve: private}").resolve.kind, ResolveClass::private_);
  EXPECT_EQ(ok("{hosts: ['*.com'], ports: [80], public_suffix: true}").hosts, std::vector<std::string>{"*.com"});
}

TEST(ReadRule, RefusesWrongValues) {
  bad("[x]", "expected a mapping");
  bad("{ports: [80]}", "without 'hosts'");
  bad("{hosts: []}", "empty list");
  bad("{hosts: x.example}", "write [x.example]");
  bad("{hosts: [x.example], ports: [80], methods: []}", "empty list");
  bad("{hosts: [x.example], ports: [80], methods: [get]}", "upper case");
  bad("{hosts: [x.example], ports: [80], paths: [a]}", "must begin with '/'");
  bad("{hosts: [x.example], ports: [0]}", "port");
  bad("{hosts: [x.example], ports: [80], action: permit}", "one of: deny, allow, ask");
  bad("{hosts: [x.example], ports: [80], resolve: all}", "one of: public, private");
  bad("{hosts: [x.example], ports: [80], resolve: [10.0.0.1/8]}", "write 10.0.0.0/8");
  bad("{hosts: [x.example], ports: [80], resolve: []}", "empty list");
  bad("{hosts: [x.example], ports: [80], public_suffix: yes}", "one of: false, true");
  bad("{name: default, hosts: [x.example], ports: [80]}", "not 'default'");
  bad("{name: 'a b', hosts: [x.example], ports: [80]}", "not usable");
  bad("{name: \"a\\nb\", hosts: [x.example], ports: [80]}", "'a\\x0ab'");
  bad("{hosts: [\"evil.example\\n# x\"], ports: [80]}", "may hold only");
  bad("{hosts: [x.example], ports: [80], dlp: stop}", "block");
  bad("{hosts: [x.example], inspect: sni, dlp: block}", "dlp cannot be enforced under inspect: sni");
  bad("{hosts: [x.example], action: deny, dlp: block}", "a deny rule lets nothing through that 'dlp' could look at");
  bad("{hosts: [x.example], ports: [80], hots: [y]}", "did you mean 'hosts'?");
}

TEST(ReadRule, RefusesWhatAClosedConnectionWouldHide) {
  EXPECT_EQ(ok("{hosts: [x.example]}").inspect, Inspect::full) << "the default";
  EXPECT_EQ(ok("{hosts: [x.example], inspect: raw, ports: [22]}").inspect, Inspect::raw);
  bad("{hosts: [x.example], inspect: raw, ports: [22], methods: [GET]}", "under inspect: raw");
  bad("{hosts: [x.example], inspect: raw, ports: [80], paths: [/a]}", "under inspect: raw");
  bad("{hosts: [x.example], inspect: sni, query: {a: b}}", "p:1:22: methods, paths, query, headers, git and websocket cannot be enforced");
  bad("{hosts: [x.example], inspect: sni, headers: {a: b}}", "write inspect: full");
  bad("{hosts: [x.example], inspect: sni, git: {repos: [a/b]}}", "write inspect: full");
  bad("{hosts: [x.example], inspect: sni, methods: [PUT], action: deny}", "write inspect: full");
  bad("{hosts: [x.example], inspect: sni, methods: [GET]}", "cannot be enforced");
  bad("{hosts: [x.example], inspect: sni, ports: [80, 443], paths: [/a]}", "cannot be enforced");
  bad("{hosts: [x.example], inspect: sni, websocket: false}", "cannot be enforced");
  ok("{hosts: [x.example], inspect: sni, ports: [80], methods: [GET]}");
  ok("{hosts: [x.example], ports: [80], methods: [GET], paths: [/a]}");
}

TEST(ReadRule, ReadsWhatARequestHasToBe) {
  auto const rule = ok("{hosts: [x.example], query: {format: json, v: ['1', '2*'], token: null}, headers: {Content-Type: text/*}, hint: 'Ask Ann.'}");
  EXPECT_EQ(rule.query, (std::vector<Condition>{{"format", {"json"}}, {"v", {"1", "2*"}}, {"token", {}}}));
  EXPECT_EQ(rule.headers, (std::vector<Condition>{{"content-type", {"text/*"}}}));
  EXPECT_EQ(rule.hint, "Ask Ann.");
  EXPECT_EQ(ok("{hosts: [x.example], git: {repos: ['a/*', 'b/**']}}").git, (GitRule{{"a/*", "b/**"}, GitAccess::read}));
  EXPECT_EQ(ok("{hosts: [x.example], git: {repos: [a/b], access: write}}").git->access, GitAccess::write);
}

TEST(ReadRule, SaysWhetherRequestsMayBecomeWebSockets) {
  EXPECT_EQ(ok("{hosts: [x.example]}").websocket, WebSocketUse::by_methods);
  EXPECT_EQ(ok("{hosts: [x.example], methods: [GET], websocket: true}").websocket, WebSocketUse::allowed);
  EXPECT_EQ(ok("{hosts: [x.example], websocket: false}").websocket, WebSocketUse::refused);
}

TEST(ReadRule, RefusesKeysThatContradictOneAnother) {
  bad("{hosts: [x.example], git: {repos: [a/b]}, methods: [GET]}", "remove those, or make two rules");
  bad("{hosts: [x.example], git: {repos: [a/b]}, paths: [/x]}", "remove those, or make two rules");
  bad("{hosts: [x.example], git: {repos: [a/b]}, action: deny}", "'git' is for rules that allow");
  bad("{hosts: [x.example], git: {repos: [a/b]}, websocket: true}", "git uses no WebSockets");
  bad("{hosts: [x.example], action: deny, websocket: true}", "'websocket' is for rules that allow");
  bad("{hosts: [x.example], action: ask, websocket: false}", "'websocket' is for rules that allow");
  bad("{hosts: [x.example], websocket: maybe}", "websocket");
  bad("{hosts: [x.example], hint: \"a\\nb\"}", "one line of ASCII");
  bad("{hosts: [x.example], hint: '" + std::string(301, 'a') + "'}", "at most 300 bytes");
}

TEST(ReadRule, AMetadataAddressIsAdmittedOnlyByItself) {
  bad("{hosts: [x.example], ports: [80], resolve: [169.254.0.0/16]}", "cloud metadata address 169.254.169.254");
  bad("{hosts: [x.example], ports: [80], resolve: [0.0.0.0/0]}", "cloud metadata");
  bad("{hosts: [x.example], ports: [80], resolve: ['::/0']}", "cloud metadata");
  ok("{hosts: [x.example], ports: [80], resolve: [169.254.169.254/32]}");
  ok("{hosts: [x.example], ports: [80], resolve: [169.254.169.254]}");
}

TEST(IsPlainName, IsShortAndPrintable) {
  for (auto name : {"a", "npm-registry", "Rule_1.2"}) EXPECT_TRUE(is_plain_name(name)) << name;
  for (auto name : {"", "-a", "a b", "a\n", "a/b", "ä"}) EXPECT_FALSE(is_plain_name(name)) << name;
  EXPECT_FALSE(is_plain_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace sallyport::policies
