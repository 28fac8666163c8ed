#include "proxy/policy_file.hpp"

#include "policies/bundle.hpp"
#include "policies/layer.hpp"
#include "tests/proxy/memory_files.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sallyport::proxy {
namespace {

using tests::memory_file;

TEST(PolicyFile, HoldsThePolicyThatWasPacked) {
  policies::Problems problems;
  std::array const layers = {*policies::allow_layer("a.example", problems)};
  auto const policy = read_policy_file(memory_file(policies::pack_layers(layers, "")));
  ASSERT_TRUE(policy) << policy.error().what;
  ASSERT_EQ((*policy)->rules.size(), 1U);
  EXPECT_EQ((*policy)->rules.front()->hosts.front(), "a.example");
}

TEST(PolicyFile, AnythingElseIsAnError) {
  EXPECT_FALSE(read_policy_file(memory_file("")));
  EXPECT_FALSE(read_policy_file(memory_file("version: 1\n")));
}

}  // namespace
}  // namespace sallyport::proxy
