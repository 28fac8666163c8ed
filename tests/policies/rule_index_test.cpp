#include "policies/rule_index.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <set>

namespace sallyport::policies {
namespace {

std::shared_ptr<Rule const> rule(std::string name, std::vector<std::string> hosts) {
  auto made = std::make_shared<Rule>();
  made->name = std::move(name);
  made->hosts = std::move(hosts);
  return made;
}

std::vector<std::string> names(std::vector<RuleMatch> const& matches) {
  std::vector<std::string> all;
  for (auto const& match : matches) all.push_back(match.rule->rule->name);
  return all;
}

/// The slow, obviously right answer.
std::set<std::string> slow_match(std::vector<std::shared_ptr<Rule const>> const& rules, CanonicalHost const& host) {
  std::set<std::string> found;
  for (auto const& each : rules) {
    for (auto const& text : each->hosts) {
      if (HostPattern::parse(text).value().matches(host)) found.insert(each->name);
    }
  }
  return found;
}

TEST(RuleIndex, MostSpecificFirst) {
  RuleIndex const index({rule("any", {"*"}), rule("tree", {"**.example.com"}), rule("deep", {"*.a.example.com"}),
                         rule("partial", {"x-*.a.example.com"}), rule("exact", {"x-1.a.example.com"})});
  EXPECT_EQ(names(index.match(host_of("x-1.a.example.com"))),
            (std::vector<std::string>{"exact", "partial", "deep", "tree", "any"}));
  EXPECT_EQ(names(index.match(host_of("example.com"))), (std::vector<std::string>{"tree", "any"}));
  EXPECT_TRUE(index.match(host_of("1.2.3.4")).empty());
}

TEST(RuleIndex, EachRuleOnceAndEqualsByName) {
  RuleIndex const index({rule("b", {"a.example", "*.example", "**.example"}), rule("a", {"a.example"})});
  EXPECT_EQ(names(index.match(host_of("a.example"))), (std::vector<std::string>{"a", "b"}));
}

TEST(RuleIndex, TellsNamesThatAreSaidFromThoseThatAPatternTakesIn) {
  auto refusing = std::make_shared<Rule>();
  refusing->hosts = {"c.example"};
  refusing->action = Action::deny;
  RuleIndex const index({rule("a", {"a.example", "*.b.example", "**.d.example"}), refusing});
  EXPECT_TRUE(index.names(host_of("a.example")));
  for (auto const* host : {"x.a.example", "x.b.example", "b.example", "c.example", "d.example", "other.example"}) {
    EXPECT_FALSE(index.names(host_of(host))) << host;
  }
}

/// Few labels, so that random patterns and hosts meet often.
class RandomNames {
 public:
  explicit RandomNames(unsigned seed) : random_(seed) {}
  std::string host() {
    std::string name = label();
    for (unsigned more = pick(3); more > 0; --more) name = label() + "." + name;
    return name;
  }
  std::string pattern() {
    switch (pick(6)) {
      case 0:
        return "*." + host();
      case 1:
        return "**." + host();
      case 2:
        return label() + "*." + host();
      case 3:
        return "*" + label() + "." + host();
      case 4:
        return pick(20) == 0 ? "*" : host();
      default:
        return host();
    }
  }
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

 private:
  std::string label() {
    constexpr char const* kLabels[] = {"a", "b", "aa", "ab", "ba"};
    return kLabels[pick(5)];
  }
  std::mt19937 random_;
};

TEST(RuleIndex, AgreesWithALinearScanOnRandomTables) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomNames random(seed);
    std::vector<std::shared_ptr<Rule const>> rules;
    for (unsigned i = 0; i < 40; ++i) rules.push_back(rule("r" + std::to_string(i), {random.pattern(), random.pattern()}));
    RuleIndex const index(rules);
    for (int i = 0; i < 100; ++i) {
      auto const host = host_of(random.host());
      auto const fast = names(index.match(host));
      EXPECT_EQ(std::set<std::string>(fast.begin(), fast.end()), slow_match(rules, host)) << host.str() << " seed " << seed;
      EXPECT_EQ(std::set<std::string>(fast.begin(), fast.end()).size(), fast.size()) << "each rule once";
    }
  }
}

TEST(RuleIndex, OrderOfRulesDoesNotMatter) {
  RandomNames random(7);
  std::vector<std::shared_ptr<Rule const>> rules;
  for (unsigned i = 0; i < 40; ++i) rules.push_back(rule("r" + std::to_string(i), {random.pattern()}));
  RuleIndex const forward(rules);
  std::reverse(rules.begin(), rules.end());
  RuleIndex const backward(rules);
  for (int i = 0; i < 300; ++i) {
    auto const host = host_of(random.host());
    EXPECT_EQ(names(forward.match(host)), names(backward.match(host))) << host.str();
  }
}

}  // namespace
}  // namespace sallyport::policies
