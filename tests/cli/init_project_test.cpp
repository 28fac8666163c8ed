#include "cli/init_project.hpp"

#include "policies/yaml_loader.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class InitProject : public ::testing::Test {
 protected:
  InitProject() {
    capture_.console().preset_dir = SALLYPORT_PRESETS;
    capture_.console().template_dir = SALLYPORT_TEMPLATES;
    options_.workspace = project_.path().string();
    test::write_file(project_ / "package.json", "{}");
  }
  int init(std::string typed = "") {
    typed += '\0';  // fmemopen(3) has no empty buffer
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const in(::fmemopen(typed.data(), typed.size() - 1, "r"), &std::fclose);
    return init_project(options_, capture_.console(), in.get());
  }
  std::string written(std::string const& name) const { return test::read_file(project_ / (".devcontainer/" + name)); }

  test::TempDir project_;
  ConsoleCapture capture_;
  InitOptions options_;
};

TEST_F(InitProject, YesWritesTheGuardsTemplateWithThePresetsOfTheProject) {
  options_.yes = true;
  ASSERT_EQ(init(), 0) << capture_.err();
  EXPECT_THAT(written("policy.yaml"), HasSubstr("extends: [npm, claude-code]"));
  EXPECT_THAT(written("devcontainer.json"), HasSubstr("\"agent\": \"claude-code\""));
  EXPECT_THAT(written("sallyport/devcontainer-feature.json"), HasSubstr("NET_ADMIN"));
  auto const policy = project_ / ".devcontainer/policy.yaml";
  EXPECT_TRUE(policies::load_policy({SALLYPORT_PRESETS, "", {policy.string()}, {}}));
  EXPECT_THAT(capture_.out(), HasSubstr("Found package.json: preset npm"));
  EXPECT_THAT(capture_.out(), HasSubstr(".devcontainer/policy.yaml\n    What the container may reach, at its first start.\n"));
}

TEST_F(InitProject, AnswersAtTheTerminalDecide) {
  ASSERT_EQ(init("attach\ncodex\n\nnpm, debian\nyes\n"), 0) << capture_.err();
  EXPECT_THAT(written("policy.yaml"), HasSubstr("extends: [npm, debian]"));
  EXPECT_THAT(written("devcontainer.json"), HasSubstr("--network=none"));
  EXPECT_THAT(written("devcontainer.json"), Not(HasSubstr("NET_ADMIN")));
  EXPECT_FALSE(fs::exists(project_ / ".devcontainer/sallyport"));
}

TEST_F(InitProject, NothingIsWrittenAfterANoOrAnEndOfInputOrInADryRun) {
  EXPECT_EQ(init("\n\n\n\nno\n"), 1);
  EXPECT_EQ(init("\n\n"), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("--yes"));
  options_.dry_run = true;
  EXPECT_EQ(init(), 0);
  EXPECT_FALSE(fs::exists(project_ / ".devcontainer"));
}

TEST_F(InitProject, AsJsonForPrograms) {
  options_.json = options_.dry_run = true;
  fs::create_directory(project_ / ".devcontainer");
  test::write_file(project_ / ".devcontainer/policy.yaml", "mine");
  ASSERT_EQ(init(), 0) << capture_.err();
  auto const would = boost::json::parse(capture_.out()).as_object();
  EXPECT_EQ(would.at("written"), false);
  EXPECT_EQ(would.at("variant"), "guard");
  EXPECT_EQ(would.at("policies"), (boost::json::array{"npm", "claude-code"}));
  auto const& files = would.at("files").as_array();
  auto const policy = std::ranges::find_if(files, [](auto const& file) { return file.at("path") == ".devcontainer/policy.yaml"; });
  ASSERT_NE(policy, files.end());
  EXPECT_EQ(policy->at("purpose"), "What the container may reach, at its first start.");
  EXPECT_EQ(policy->at("had_other_content"), true);
  EXPECT_EQ(written("policy.yaml"), "mine");
}

TEST_F(InitProject, AFileThatIsThereStaysWithoutForce) {
  fs::create_directory(project_ / ".devcontainer");
  test::write_file(project_ / ".devcontainer/devcontainer.json", "{}");
  options_.yes = true;
  EXPECT_EQ(init(), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("there already: .devcontainer/devcontainer.json"));
  EXPECT_EQ(written("devcontainer.json"), "{}");
  EXPECT_FALSE(fs::exists(project_ / ".devcontainer/policy.yaml"));
  options_.force = true;
  EXPECT_EQ(init(), 0);
  EXPECT_THAT(written("devcontainer.json"), HasSubstr("remoteUser"));
}

TEST_F(InitProject, AProjectThatAsksForNothingGetsNoNetwork) {
  fs::remove(project_ / "package.json");
  options_.yes = true;
  options_.agent = "none";
  ASSERT_EQ(init(), 0) << capture_.err();
  EXPECT_THAT(written("policy.yaml"), HasSubstr("extends: [none]"));
}

TEST_F(InitProject, ThePackageGoesBesideTheFeaturesInstallation) {
  test::write_file(project_ / "sallyport_1_amd64.deb", "package");
  options_.yes = true;
  options_.package = project_ / "sallyport_1_amd64.deb";
  ASSERT_EQ(init(), 0) << capture_.err();
  EXPECT_EQ(written("sallyport/sallyport_1_amd64.deb"), "package");
  options_.variant = "attach";
  EXPECT_EQ(init(), 2);
}

TEST_F(InitProject, ValuesThatCannotBeRightAreErrors) {
  options_.yes = true;
  options_.policies = {"nmp"};
  EXPECT_EQ(init(), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("no preset 'nmp'"));
  options_.policies = {"npm"};
  options_.image = "a\"b";
  EXPECT_EQ(init(), 2);
  options_.image = "";
  options_.package = "/nowhere/sallyport_1_amd64.deb";
  EXPECT_EQ(init(), 2);
  EXPECT_FALSE(fs::exists(project_ / ".devcontainer"));
}

}  // namespace
}  // namespace sallyport::cli
