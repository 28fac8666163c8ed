#include "policies/yaml_writer.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using ::testing::HasSubstr;

constexpr char const* kEverything = R"(version: 1
name: all
network: full
egress:
  - {name: one, hosts: [a.example, "*.b.example"], ports: [80], methods: [GET], paths: ["/a%20/**"], resolve: private}
  - {hosts: ["*.com"], inspect: sni, public_suffix: true, resolve: [10.0.0.0/8]}
  - {hosts: ["*"], inspect: sni, action: ask}
  - {name: q, hosts: [q.example], query: {a: ["x*", "y"], "b: c": null}, headers: {Accept: "*/*"}, hint: "say: #1"}
  - {name: g, hosts: [g.example], git: {repos: ["a/*", b/c], access: write}}
  - {name: d, hosts: [d.example], dlp: alert, websocket: false}
  - {name: w, hosts: [w.example], methods: [GET], websocket: true}
  - {name: two, hosts: ["**.evil.example"], action: deny}
dlp:
  action: redact
  known_values: [env]
  canaries: [files, env]
  detectors: {disable: [jwt]}
  allow: [{host: "*.a.example", detector: jwt, until: 2030-01-31}]
credentials:
  - {name: A_KEY, from: {env: A}, hosts: [a.example], header: X-Key, basic: true}
  - {name: B_KEY, from: {file: /run/b}, hosts: ["*.b.example"], authorization: "Bearer {}", body: true}
  - {name: C_KEY, from: {command: [/bin/pass, "a b"]}, hosts: [c.example], query: key}
jail:
  filesystem: {read: ["/a: b"], write: [/w], hide: ["/h#x"], workspace: ro}
  env: {pass: [LANG], set: {A: "yes", B: "", C: "x: y # z"}}
)";

TEST(ToYaml, LoadsToTheSamePolicy) {
  auto const first = load_text(kEverything);
  ASSERT_NE(first, nullptr);
  auto const again = load_text(to_yaml(*first));
  ASSERT_NE(again, nullptr) << to_yaml(*first);
  ASSERT_EQ(again->rules.size(), first->rules.size());
  for (std::size_t i = 0; i < first->rules.size(); ++i) {
    auto const& a = *first->rules[i];
    auto const& b = *again->rules[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.hosts, b.hosts);
    EXPECT_EQ(a.ports, b.ports);
    EXPECT_EQ(a.methods, b.methods);
    EXPECT_EQ(a.paths, b.paths);
    EXPECT_EQ(a.query, b.query);
    EXPECT_EQ(a.headers, b.headers);
    EXPECT_EQ(a.git, b.git);
    EXPECT_EQ(a.websocket, b.websocket);
    EXPECT_EQ(a.hint, b.hint);
    EXPECT_EQ(a.dlp, b.dlp);
    EXPECT_EQ(a.action, b.action);
    EXPECT_EQ(a.inspect, b.inspect);
    EXPECT_EQ(a.resolve.kind, b.resolve.kind);
    EXPECT_EQ(a.resolve.cidrs, b.resolve.cidrs);
  }
  EXPECT_EQ(again->dlp.action, DlpAction::redact);
  EXPECT_EQ(again->dlp.known_values, std::vector{KnownSource::env});
  EXPECT_EQ(again->dlp.canaries, (std::vector{CanaryPlace::files, CanaryPlace::env}));
  ASSERT_EQ(again->dlp.disabled.size(), 1U);
  EXPECT_EQ(again->dlp.disabled[0].id, "jwt");
  ASSERT_EQ(again->dlp.allow.size(), 1U);
  EXPECT_EQ(again->dlp.allow[0].host, "*.a.example");
  EXPECT_EQ(again->dlp.allow[0].detector, "jwt");
  EXPECT_EQ(again->dlp.allow[0].until, "2030-01-31");
  ASSERT_EQ(again->credentials.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again->credentials[i].name, first->credentials[i].name);
    EXPECT_EQ(again->credentials[i].hosts, first->credentials[i].hosts);
    EXPECT_EQ(again->credentials[i].spots, first->credentials[i].spots);
  }
  EXPECT_EQ(std::get<FromCommand>(again->credentials[2].from).argv, (std::vector<std::string>{"/bin/pass", "a b"}));
  EXPECT_EQ(first->network, again->network);
  EXPECT_EQ(first->filesystem.read, again->filesystem.read);
  EXPECT_EQ(first->filesystem.hide, again->filesystem.hide);
  EXPECT_EQ(first->filesystem.workspace, again->filesystem.workspace);
  EXPECT_EQ(first->environment.pass, again->environment.pass);
  EXPECT_EQ(first->environment.set, again->environment.set);
}

TEST(ToYaml, SaysWhereEachRuleStands) {
  auto const text = to_yaml(*policy_of({"{name: r, hosts: [a.example], inspect: sni}"}));
  EXPECT_THAT(text, HasSubstr("# from p.yaml:4:5"));
  EXPECT_THAT(text, HasSubstr("name: r"));
}

TEST(ToYaml, AnEmptyPolicyLoadsToo) { EXPECT_NE(load_text(to_yaml(Policy{})), nullptr) << to_yaml(Policy{}); }

}  // namespace
}  // namespace sallyport::policies
