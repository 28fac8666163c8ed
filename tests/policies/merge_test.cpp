#include "policies/merge.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Layer layer(std::string const& file, std::string const& text) {
  Problems problems;
  auto read = read_layer(file, "version: 1\n" + text, "/home/user", problems);
  for (auto const& problem : problems) ADD_FAILURE() << to_string(problem);
  auto made = read.value_or(Layer{});
  made.label = "file " + file;
  return made;
}

std::shared_ptr<Policy const> merged(std::vector<Layer> layers) {
  Problems problems;
  auto policy = merge_layers(std::move(layers), problems);
  for (auto const& problem : problems) ADD_FAILURE() << to_string(problem);
  return policy;
}

std::vector<std::string> refused(std::vector<Layer> layers) {
  Problems problems;
  EXPECT_EQ(merge_layers(std::move(layers), problems), nullptr);
  std::vector<std::string> lines;
  for (auto const& problem : problems) lines.push_back(to_string(problem));
  return lines;
}

constexpr char const* kRule = "egress: [{hosts: [a.example], inspect: sni}]\n";

TEST(MergeLayers, NothingIsNoNetwork) {
  auto const policy = merged({});
  EXPECT_EQ(policy->network, Network::none);
  EXPECT_EQ(policy->name, "none");
  EXPECT_THAT(policy->digest, HasSubstr("sha256:"));
}

TEST(MergeLayers, SecretsAreBlockedUnlessALayerSaysOtherwise) {
  EXPECT_EQ(merged({layer("a", kRule)})->dlp.action, DlpAction::block);
  auto const policy = merged({layer("a", std::string(kRule) + "dlp: {action: alert, detectors: {disable: [x]}}\n"),
                              layer("b", "dlp: {known_values: off, canaries: [env], detectors: {disable: [y]}}\n")});
  EXPECT_EQ(policy->dlp.action, DlpAction::alert);
  EXPECT_THAT(policy->dlp.known_values, IsEmpty());
  EXPECT_EQ(policy->dlp.canaries, std::vector{CanaryPlace::env});
  EXPECT_EQ(policy->dlp.disabled.size(), 2U);
}

TEST(MergeLayers, UnitesRulesAndJail) {
  auto const policy = merged(
      {layer("a",
             "name: a\negress: [{hosts: [a.example], inspect: sni}]\njail: {filesystem: {read: [/x], workspace: ro}, "
             "env: {pass: [A], set: {X: 1, Y: 1}}}\n"),
       layer("b",
             "name: b\negress: [{hosts: [b.example], inspect: sni}]\njail: {filesystem: {read: [/x, /y], workspace: "
             "rw}, env: {pass: [B], set: {X: 2}}}\n")});
  EXPECT_EQ(policy->name, "b");
  EXPECT_THAT(policy->layers, ElementsAre("file a", "file b"));
  EXPECT_EQ(policy->rules.size(), 2u);
  EXPECT_THAT(policy->filesystem.read, ElementsAre("/x", "/y"));
  EXPECT_EQ(policy->filesystem.workspace, Workspace::ro) << "ro wins";
  EXPECT_THAT(policy->environment.pass, ElementsAre("A", "B"));
  EXPECT_EQ(policy->environment.set, (std::map<std::string, std::string>{{"X", "2"}, {"Y", "1"}}));
}

TEST(MergeLayers, RuleNamesAreUniqueAndGeneratedOnesGiveWay) {
  auto const policy =
      merged({layer("a",
                    "egress:\n  - {hosts: [a.example], inspect: sni}\n  - {hosts: [a.example], inspect: sni}\n"
                    "  - {name: a.example-2, hosts: [b.example], inspect: sni}\n")});
  EXPECT_EQ(policy->rules[0]->name, "a.example");
  EXPECT_EQ(policy->rules[1]->name, "a.example-3");
  EXPECT_THAT(refused({layer("a", "egress: [{name: n, hosts: [a.example], inspect: sni}]\n"),
                       layer("b", "egress: [{name: n, hosts: [b.example], inspect: sni}]\n")}),
              ElementsAre("b:2:10: a rule named 'n' stands at a:2:10 too; rule names must be unique"));
}

TEST(MergeLayers, NetworkIsTheWidestThatIsSaid) {
  EXPECT_EQ(merged({layer("a", kRule)})->network, Network::restricted);
  EXPECT_EQ(merged({layer("a", "network: full\n"), layer("b", kRule)})->network, Network::full);
  EXPECT_EQ(merged({layer("a", "network: restricted\n")})->network, Network::restricted);
  EXPECT_EQ(merged({layer("a", "network: none\n")})->network, Network::none);
  EXPECT_EQ(merged({layer("a", "egress: [{hosts: [a.example], action: deny}]\n")})->network, Network::none);
}

TEST(MergeLayers, NoneContradictsARuleThatAllows) {
  EXPECT_THAT(refused({layer("a", "network: none\n"), layer("b", kRule)}),
              ElementsAre("a:2:1: network: none contradicts rule 'a.example' at b:2:10; remove one of them"));
}

TEST(MergeLayers, EveryHostNeedsNetworkFull) {
  auto const* any = "egress: [{hosts: ['*'], inspect: sni}]\n";
  EXPECT_THAT(refused({layer("a", any)}), ElementsAre(HasSubstr("needs network: full")));
  EXPECT_THAT(merged({layer("a", std::string("network: full\n") + any)})->warnings, IsEmpty());
  merged({layer("a", "egress: [{hosts: ['*'], action: deny}]\n")});
}

TEST(MergeLayers, DigestIsOfTheBytes) {
  auto const one = merged({layer("a", kRule)})->digest;
  EXPECT_EQ(merged({layer("other-name", kRule)})->digest, one);
  EXPECT_NE(merged({layer("a", std::string(kRule) + "# comment\n")})->digest, one);
}

TEST(MergeLayers, TestsAreThoseOfTheLastFile) {
  auto const policy = merged({layer("a", "tests: [{request: GET http://a.example/, expect: deny}]\n"),
                              layer("b", "tests: [{request: GET http://b.example/, expect: deny}]\n")});
  ASSERT_EQ(policy->tests.size(), 1u);
  EXPECT_EQ(policy->tests[0].url, "http://b.example/");
}

TEST(MergeLayers, ARuleNobodyCanReachIsRefused) {
  EXPECT_THAT(refused({layer("a", "egress: [{hosts: [a.example]}, {hosts: ['**.example'], action: deny, name: d}]\n")}),
              ElementsAre(HasSubstr("a:2:10: rule 'a.example' can never be reached: rule 'd' at a:2:32")));
}

TEST(MergeLayers, WarnsOfRulesThatCannotDoWhatTheySeemTo) {
  EXPECT_THAT(policy_of({"{hosts: [a.example], action: ask, inspect: sni}"})->warnings,
              ElementsAre(HasSubstr("asks a person")));
  EXPECT_THAT(
      policy_of({"{hosts: [a.example], inspect: sni}", "{hosts: [a.example], action: deny, ports: [80]}"})->warnings,
      IsEmpty());
}

}  // namespace
}  // namespace sallyport::policies
