#include "cli/policy_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sallyport::cli {
namespace {

using ::testing::ElementsAre;

class Sources : public ::testing::Test {
 protected:
  Sources() : home_(::testing::TempDir() + "sources-" + std::to_string(::getpid())) {
    std::filesystem::create_directories(home_ + "/.config/sallyport");
    ::setenv("HOME", home_.c_str(), 1);
    ::unsetenv("SALLYPORT_POLICY");
    console_.preset_dir = "/presets";
  }
  ~Sources() override { std::filesystem::remove_all(home_); }

  std::string home_;
  Console console_;
};

TEST_F(Sources, WhatWasAskedForComesFirst) {
  ::setenv("SALLYPORT_POLICY", "/other.yaml", 1);
  auto const sources = policy_sources(console_, {"npm"}, {"a.example"});
  EXPECT_THAT(sources.policies, ElementsAre("npm"));
  EXPECT_THAT(sources.allow, ElementsAre("a.example"));
  EXPECT_EQ(sources.preset_dir, "/presets");
  EXPECT_EQ(sources.home, home_);
}

TEST_F(Sources, ThenTheEnvironmentThenTheUsersFileThenNone) {
  EXPECT_THAT(policy_sources(console_, {}, {}).policies, ElementsAre("none"));
  auto const file = home_ + "/.config/sallyport/policy.yaml";
  std::ofstream(file) << "version: 1\n";
  EXPECT_THAT(policy_sources(console_, {}, {}).policies, ElementsAre(file));
  ::setenv("SALLYPORT_POLICY", "/other.yaml", 1);
  EXPECT_THAT(policy_sources(console_, {}, {}).policies, ElementsAre("/other.yaml"));
}

TEST_F(Sources, AHomeThatIsNoAbsolutePathIsNone) {
  ::setenv("HOME", "relative", 1);
  EXPECT_EQ(policy_sources(console_, {}, {}).home, "");
}

}  // namespace
}  // namespace sallyport::cli
