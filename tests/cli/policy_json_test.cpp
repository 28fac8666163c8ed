#include "cli/policy_json.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace sallyport::cli {
namespace {

namespace json = boost::json;

TEST(PolicyJson, HoldsRulesWithTheirPlaces) {
  auto const policy = policies::policy_of({"{name: r, hosts: [a.example], inspect: sni, resolve: [10.0.0.0/8]}"});
  auto const object = policy_json(*policy);
  EXPECT_EQ(object.at("network"), "restricted");
  auto const& rule = object.at("egress").at(0);
  EXPECT_EQ(rule.at("name"), "r");
  EXPECT_EQ(rule.at("hosts"), json::value({"a.example"}));
  EXPECT_EQ(rule.at("ports").at(0).to_number<int>(), 443);
  EXPECT_EQ(rule.at("resolve"), json::value({"10.0.0.0/8"}));
  EXPECT_EQ(rule.at("file"), "p.yaml");
  EXPECT_EQ(rule.at("line"), 4);
  EXPECT_EQ(object.at("jail").at("filesystem").at("workspace"), "rw");
}

TEST(PolicyJson, HoldsWhatARequestHasToBe) {
  auto const policy = policies::policy_of({"{hosts: [a.example], query: {a: [b, c], d: null}, headers: {Accept: x}, hint: h}",
                                           "{hosts: [b.example], git: {repos: [x/y]}}"});
  auto const object = policy_json(*policy);
  EXPECT_EQ(json::serialize(object.at("egress").at(0).at("query")), R"({"a":["b","c"],"d":null})");
  EXPECT_EQ(json::serialize(object.at("egress").at(0).at("headers")), R"({"accept":["x"]})");
  EXPECT_EQ(object.at("egress").at(0).at("hint"), "h");
  EXPECT_EQ(json::serialize(object.at("egress").at(1).at("git")), R"({"repos":["x/y"],"access":"read"})");
  EXPECT_TRUE(object.at("egress").at(0).at("git").is_null());
}

TEST(ProblemsJson, SplitsThePlace) {
  EXPECT_EQ(json::serialize(problems_json({{{"p.yaml", 3, 7}, "bad \"x\""}})),
            R"([{"file":"p.yaml","line":3,"column":7,"message":"bad \"x\""}])");
  EXPECT_EQ(json::serialize(problems_json({})), "[]");
}

}  // namespace
}  // namespace sallyport::cli
