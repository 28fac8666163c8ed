#include "cli/oci_state.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

TEST(OciState, NamesTheContainerAndItsPolicies) {
  auto const state = parse_oci_state(R"({"ociVersion":"1.0.2","id":"c1","status":"created","pid":42,"bundle":"/run/c1",
    "annotations":{"io.sallyport.policy":"npm,/etc/team.yaml","io.sallyport.allow":"a.example:8443","io.sallyport.placeholders":"A=placeholder-of-a-key,B=placeholder-of-b-key",
    "io.sallyport.ca-out":"/srv/ca.pem","other":"x"}})");
  ASSERT_TRUE(state) << state.error().what;
  EXPECT_EQ(state->id, "c1");
  EXPECT_EQ(state->status, "created");
  EXPECT_EQ(state->pid, 42);
  EXPECT_EQ(state->bundle, "/run/c1");
  EXPECT_EQ(state->policies, (std::vector<std::string>{"npm", "/etc/team.yaml"}));
  EXPECT_EQ(state->allow, std::vector<std::string>{"a.example:8443"});
  EXPECT_EQ(state->placeholders, (std::vector<std::string>{"A=placeholder-of-a-key", "B=placeholder-of-b-key"}));
}

TEST(OciState, WithoutOurAnnotationThereIsNoPolicy) {
  auto const state = parse_oci_state(R"({"id":"c1","status":"created","pid":42,"bundle":"/b","annotations":{"x":"y"}})");
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->policies.empty());
}

TEST(OciState, AnEmptyPolicyIsAnErrorAndNotNone) {
  EXPECT_FALSE(parse_oci_state(R"({"id":"c1","annotations":{"io.sallyport.policy":","}})"));
  EXPECT_FALSE(parse_oci_state(R"({"id":"c1","annotations":{"io.sallyport.policy":""}})"));
}

TEST(OciState, WhatIsNotAStateIsAnError) {
  for (auto const* text : {"", "[]", "{", R"({"pid":-1})", R"({"pid":99999999999})"}) EXPECT_FALSE(parse_oci_state(text)) << text;
}

constexpr char kGood[] = R"({"process":{"capabilities":{"bounding":["CAP_CHOWN"]}},
  "linux":{"namespaces":[{"type":"pid"},{"type":"network"}]}})";

TEST(OciConfig, ANetworkOfItsOwnWithoutPowerOverItIsFine) {
  EXPECT_TRUE(check_oci_config(kGood));
  EXPECT_TRUE(check_oci_config(R"({"process":{},"linux":{"namespaces":[{"type":"network","path":"/run/netns/x"}]}})"));
}

TEST(OciConfig, NetAdminInAnySetIsRefused) {
  for (std::string const set : {"bounding", "effective", "permitted", "inheritable", "ambient"}) {
    auto const config = R"({"process":{"capabilities":{")" + set + R"(":["CAP_NET_ADMIN"]}},"linux":{"namespaces":[{"type":"network"}]}})";
    EXPECT_FALSE(check_oci_config(config)) << set;
  }
}

TEST(OciConfig, TheHostsNetworkIsRefused) {
  EXPECT_FALSE(check_oci_config(R"({"process":{},"linux":{"namespaces":[{"type":"pid"}]}})"));
  EXPECT_FALSE(check_oci_config(R"({"process":{}})"));
  EXPECT_FALSE(check_oci_config("nonsense"));
}

}  // namespace
}  // namespace sallyport::cli
