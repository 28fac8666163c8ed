#include "policies/yaml_loader.hpp"

#include "policies/engine.hpp"
#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace sallyport::policies {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char const* kPresets = SALLYPORT_PRESETS;

class LoadPolicy : public ::testing::Test {
 protected:
  LoadPolicy() : folder_(fs::path(::testing::TempDir()) / ("policies-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_ / "sub");
  }
  ~LoadPolicy() override { fs::remove_all(folder_); }

  std::string write(std::string const& name, std::string const& text) {
    auto const path = (folder_ / name).string();
    std::ofstream(path) << "version: 1\n" << text;
    return path;
  }
  static Result<std::shared_ptr<Policy const>> load(std::vector<std::string> policies,
                                                    std::vector<std::string> allow = {}) {
    return load_policy({kPresets, "/home/user", std::move(policies), std::move(allow)});
  }
  static std::string error(std::vector<std::string> policies, std::vector<std::string> allow = {}) {
    auto const policy = load(std::move(policies), std::move(allow));
    return policy ? "" : policy.error().what;
  }

  fs::path folder_;
};

TEST_F(LoadPolicy, EveryPresetLoadsWithoutWarningAndIsDated) {
  auto const presets = list_presets(kPresets);
  ASSERT_TRUE(presets);
  std::vector<std::string> names;
  for (auto const& preset : *presets) {
    names.push_back(preset.name);
    auto const policy = load({preset.name});
    ASSERT_TRUE(policy) << policy.error().what;
    EXPECT_EQ((*policy)->name, preset.name);
    EXPECT_TRUE((*policy)->warnings.empty());
    EXPECT_EQ(preset.date.size(), 10u) << preset.name;
    EXPECT_FALSE(preset.description.empty() || preset.description.starts_with("#")) << preset.name;
  }
  EXPECT_THAT(names, ElementsAre("alpine", "cargo", "claude-code", "codex", "conda", "debian", "gemini", "github-read", "go", "maven", "none",
                                 "npm", "nuget", "pypi", "rubygems", "ubuntu"));
  ASSERT_TRUE(load(names)) << "all together";
}

TEST_F(LoadPolicy, PresetNoneHasNoNetworkAndTakesAllowFlags) {
  EXPECT_EQ(load({"none"}).value()->network, Network::none);
  auto const policy = load({"none"}, {"example.com", "example.com"}).value();
  EXPECT_EQ(policy->network, Network::restricted);
  EXPECT_THAT(policy->layers, ElementsAre("preset none", "--allow example.com"));
  EXPECT_EQ(policy->rules.size(), 1u);
}

TEST_F(LoadPolicy, AMissingPolicyIsAnError) {
  EXPECT_THAT(error({"npmm"}), HasSubstr("did you mean 'npm'?"));
  EXPECT_THAT(error({"../npm"}), HasSubstr("cannot be read"));
  EXPECT_THAT(error({(folder_ / "absent.yaml").string()}), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(error({folder_.string() + "/"}), HasSubstr("is a directory"));
  EXPECT_THAT(error({""}), HasSubstr("there is no preset ''"));
}

TEST_F(LoadPolicy, ExtendsPresetsAndFilesRelativeToTheFile) {
  write("sub/base.yaml", "egress: [{name: base, hosts: [b.example], inspect: sni}]\n");
  auto const top =
      write("top.yaml", "extends: [npm, sub/base.yaml]\negress: [{name: top, hosts: [t.example], inspect: sni}]\n");
  auto const policy = load({top}).value();
  EXPECT_THAT(policy->layers, ElementsAre("preset npm", HasSubstr("base.yaml"), "file " + top));
  EXPECT_EQ(policy->name, "top");
  ASSERT_EQ(policy->rules.size(), 4u);
  EXPECT_EQ(policy->rules[3]->place.file, top);
  EXPECT_EQ(policy->rules[3]->place.line, 3);
}

TEST_F(LoadPolicy, AFileReachedTwiceCountsOnce) {
  write("base.yaml", "egress: [{name: base, hosts: [b.example], inspect: sni}]\n");
  write("one.yaml", "extends: [./base.yaml]\n");
  auto const top = write("top.yaml", "extends: [./one.yaml, sub/../base.yaml, npm, npm]\n");
  EXPECT_EQ(load({top, "npm"}).value()->rules.size(), 3u);
}

TEST_F(LoadPolicy, CyclesAndDeepChainsAreErrors) {
  write("a.yaml", "extends: [./b.yaml]\n");
  auto const b = write("b.yaml", "extends: [./a.yaml]\n");
  EXPECT_THAT(error({b}), HasSubstr("a.yaml:2:11: "));
  EXPECT_THAT(error({b}), HasSubstr("extends itself"));
  auto const self = write("self.yaml", "extends: [self.yaml]\n");
  EXPECT_THAT(error({self}), HasSubstr("extends itself"));
  for (int i = 0; i < 10; ++i) write("c" + std::to_string(i) + ".yaml", "extends: [c" + std::to_string(i + 1) + ".yaml]\n");
  write("c10.yaml", "");
  EXPECT_THAT(error({(folder_ / "c0.yaml").string()}), HasSubstr("more than 8 policies"));
}

TEST_F(LoadPolicy, ErrorsOfAnExtendedFileNameThatFile) {
  write("bad.yaml", "egress: [{hosts: [a b]}]\n");
  auto const top = write("top.yaml", "extends: [./bad.yaml, nope]\n");
  EXPECT_THAT(error({top}), HasSubstr("bad.yaml:2:19: host 'a b'"));
  EXPECT_THAT(error({top}), HasSubstr("top.yaml:2:23: there is no preset 'nope'"));
}

TEST_F(LoadPolicy, OnlyTheFirstProblemsAreListed) {
  std::string text;
  for (int i = 0; i < 80; ++i) text += "unknown" + std::to_string(i) + ": x\n";
  EXPECT_THAT(error({write("many.yaml", text)}), HasSubstr("\nand 30 more"));
}

TEST_F(LoadPolicy, PresetsAllowWhatAPlainClientNeedsAndNoMore) {
  Engine const engine(load({"npm", "debian"}).value());
  auto const verdict = [&](std::string_view host, std::uint16_t port, Scheme scheme, std::string method) {
    auto const path = scheme == Scheme::http || scheme == Scheme::https ? std::optional(CanonicalPath::from("/x").value()) : std::nullopt;
    auto const decision = engine.decide({host_of(host), port, scheme, std::move(method), path});
    return decision ? std::string(reason::kAllowed) : decision.error().reason;
  };
  EXPECT_EQ(verdict("registry.npmjs.org", 443, Scheme::https, "GET"), reason::kAllowed);
  EXPECT_EQ(verdict("registry.npmjs.org", 443, Scheme::https, "PUT"), reason::kMethod);
  EXPECT_EQ(verdict("registry.npmjs.org", 443, Scheme::tls, ""), reason::kInspection);
  EXPECT_EQ(verdict("www.npmjs.org", 443, Scheme::tls, ""), reason::kNoRule);
  EXPECT_EQ(verdict("deb.debian.org", 80, Scheme::http, "GET"), reason::kAllowed);
  EXPECT_EQ(verdict("deb.debian.org", 80, Scheme::http, "POST"), reason::kMethod);
  EXPECT_EQ(verdict("deb.debian.org", 80, Scheme::tls, ""), reason::kInspection);
  EXPECT_EQ(verdict("deb.debian.org", 443, Scheme::tls, ""), reason::kPort);
}

TEST(ListPresets, SaysWhenThereAreNone) { EXPECT_FALSE(list_presets("/nonexistent")); }

}  // namespace
}  // namespace sallyport::policies
