#include "policies/rule_reach.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<Rule const> rule(std::string name, Action action, std::vector<std::string> hosts, std::vector<std::uint16_t> ports,
                                 std::string file = "p.yaml") {
  Rule made;
  made.name = std::move(name);
  made.action = action;
  made.hosts = std::move(hosts);
  made.ports = std::move(ports);
  made.place = {std::move(file), 3, 5};
  return std::make_shared<Rule const>(std::move(made));
}

struct Found {
  std::vector<std::string> warnings;
  Problems problems;
};
Found reach(std::vector<std::string> allowed, std::vector<std::string> denied, std::vector<std::uint16_t> denied_ports = {},
            std::string denying_file = "p.yaml") {
  Found found;
  check_reach({rule("a", Action::allow, std::move(allowed), {443}),
               rule("d", Action::deny, std::move(denied), std::move(denied_ports), std::move(denying_file))},
              found.warnings, found.problems);
  return found;
}

TEST(CheckReach, ARuleThatIsDeniedWholeIsAProblem) {
  std::pair<char const*, char const*> const covered[] = {{"a.example", "a.example"},      {"a.example", "*.example"},
                                                         {"*.b.example", "**.b.example"}, {"*.b.example", "*.example"},
                                                         {"**.b.example", "**.b.example"}, {"x-*.b.example", "*.b.example"},
                                                         {"*.b.example", "*"}};
  for (auto const& [allowed, denied] : covered) {
    auto const found = reach({allowed}, {denied});
    ASSERT_EQ(found.problems.size(), 1u) << allowed << " under " << denied;
    EXPECT_THAT(found.problems[0].what, HasSubstr("rule 'd' at p.yaml:3:5 denies all of it"));
    EXPECT_TRUE(found.warnings.empty());
  }
  EXPECT_EQ(reach({"a.example"}, {"a.example"}, {443, 80}).problems.size(), 1u);
}

TEST(CheckReach, WhatIsLeftIsNoProblem) {
  std::pair<char const*, char const*> const left[] = {
      {"**.b.example", "*.b.example"}, {"*.b.example", "x.b.example"}, {"*.b.example", "x-*.b.example"}, {"b.example", "*.b.example"}};
  for (auto const& [allowed, denied] : left) {
    auto const found = reach({allowed}, {denied});
    EXPECT_TRUE(found.problems.empty() && found.warnings.empty()) << allowed << " under " << denied;
  }
  EXPECT_TRUE(reach({"a.example"}, {"a.example"}, {80}).problems.empty()) << "another port";
}

TEST(CheckReach, APartOrAnotherFileIsAWarning) {
  auto const part = reach({"a.example", "b.example"}, {"a.example"});
  EXPECT_TRUE(part.problems.empty());
  EXPECT_THAT(part.warnings, ElementsAre("p.yaml:3:5: host 'a.example' can never be reached: rule 'd' denies it"));
  auto const other = reach({"a.example"}, {"a.example"}, {}, "narrower.yaml");
  EXPECT_TRUE(other.problems.empty());
  EXPECT_EQ(other.warnings.size(), 1u);
}

}  // namespace
}  // namespace sallyport::policies
