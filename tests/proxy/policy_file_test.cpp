#include "proxy/policy_file.hpp"

#include "policies/bundle.hpp"
#include "policies/layer.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <array>

namespace sallyport::proxy {
namespace {

UniqueFd file_with(std::string const& bytes) {
  auto file = UniqueFd::adopt(::memfd_create("test", MFD_CLOEXEC), "memfd").value();
  EXPECT_EQ(::write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return file;
}

TEST(PolicyFile, HoldsThePolicyThatWasPacked) {
  policies::Problems problems;
  std::array const layers = {*policies::allow_layer("a.example", problems)};
  auto const policy = read_policy_file(file_with(policies::pack_layers(layers, "")));
  ASSERT_TRUE(policy) << policy.error().what;
  ASSERT_EQ((*policy)->rules.size(), 1U);
  EXPECT_EQ((*policy)->rules.front()->hosts.front(), "a.example");
}

TEST(PolicyFile, AnythingElseIsAnError) {
  EXPECT_FALSE(read_policy_file(file_with("")));
  EXPECT_FALSE(read_policy_file(file_with("version: 1\n")));
}

}  // namespace
}  // namespace sallyport::proxy
