#include "policies/bundle.hpp"

#include "policies/yaml_loader.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sallyport::policies {
namespace {

class Bundle : public testing::Test {
 protected:
  Bundle() {
    if (::mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("mkdtemp");
  }
  ~Bundle() override { std::filesystem::remove_all(directory_); }
  std::string write(std::string const& name, std::string const& text) {
    auto const path = directory_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  std::string directory_ = "/tmp/bundle_test.XXXXXX";
};

TEST_F(Bundle, GivesAnotherProcessTheSamePolicy) {
  write("base.yaml", "version: 1\negress:\n  - {name: base, hosts: [base.example]}\n");
  auto const path = write("top.yaml",
                          "version: 1\nextends: [./base.yaml]\n# bytes \xff\negress:\n  - {name: top, hosts: "
                          "[\"*.top.example\"], methods: [GET]}\n"
                          "jail: {filesystem: {read: [\"~/x\"]}}\ndlp: {detectors: {import: [rules/g.toml]}}\n");
  std::filesystem::create_directory(directory_ + "/rules");
  write("rules/g.toml", "[[rules]]\n");
  auto const loaded = load_policy_for_sharing({SALLYPORT_PRESETS, "/home/u", {"npm", path}, {"extra.example:8443"}});
  ASSERT_TRUE(loaded) << loaded.error().what;
  std::filesystem::remove_all(directory_);  // the other process reads no files
  Problems problems;
  auto const policy = unpack_policy(loaded->bundle, problems);
  ASSERT_NE(policy, nullptr) << (problems.empty() ? "" : to_string(problems.front()));
  EXPECT_EQ(policy->digest, loaded->policy->digest);
  EXPECT_EQ(policy->layers, loaded->policy->layers);
  EXPECT_EQ(policy->name, loaded->policy->name);
  ASSERT_EQ(policy->rules.size(), loaded->policy->rules.size());
  for (std::size_t i = 0; i < policy->rules.size(); ++i) {
    EXPECT_EQ(policy->rules[i]->name, loaded->policy->rules[i]->name);
    EXPECT_EQ(policy->rules[i]->place, loaded->policy->rules[i]->place);
  }
  EXPECT_EQ(loaded->files.size(), 4U);
  ASSERT_EQ(policy->dlp.imports.size(), 1U);
  EXPECT_EQ(policy->dlp.imports[0].path, directory_ + "/rules/g.toml");
  EXPECT_EQ(policy->dlp.imports[0].text, "[[rules]]\n");
}

TEST_F(Bundle, ImportIsPartOfTheDigestAndHasToBeThere) {
  auto const path = write("p.yaml", "version: 1\ndlp: {detectors: {import: [g.toml]}}\n");
  auto const missing = load_policy({SALLYPORT_PRESETS, "", {path}, {}});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what.find("p.yaml:2:"), std::string::npos) << missing.error().what;
  write("g.toml", "a = 1\n");
  auto const one = load_policy({SALLYPORT_PRESETS, "", {path}, {}}).value()->digest;
  write("g.toml", "a = 2\n");
  EXPECT_NE(load_policy({SALLYPORT_PRESETS, "", {path}, {}}).value()->digest, one);
}

TEST_F(Bundle, WhatIsNoBundleIsAProblem) {
  for (auto const* bytes : {"", "{", "[]", "{\"layers\":7}"}) {
    Problems problems;
    EXPECT_EQ(unpack_policy(bytes, problems), nullptr) << bytes;
    EXPECT_FALSE(problems.empty()) << bytes;
  }
}

}  // namespace
}  // namespace sallyport::policies
