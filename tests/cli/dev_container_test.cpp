#include "cli/dev_container.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

class Shipped : public ::testing::TestWithParam<char const*> {};

TEST_P(Shipped, TemplateIsWholeAndEveryFileSaysWhatItIsFor) {
  auto const found = read_template(std::string(SALLYPORT_TEMPLATES "/") + GetParam());
  ASSERT_TRUE(found) << found.error().what;
  auto const files = fill_in(*found, found->options);
  ASSERT_TRUE(files) << files.error().what;
  for (auto const* name : {"devcontainer.json", "policy.yaml", "prepare.sh"})
    EXPECT_THAT(*files, Contains(Field(&NewFile::path, std::string(".devcontainer/") + name)));
  for (auto const& file : *files) {
    EXPECT_NE(purpose_of(file.content), "") << file.path;
    EXPECT_THAT(file.content, Not(HasSubstr("${templateOption:"))) << file.path;
  }
}

INSTANTIATE_TEST_SUITE_P(Templates, Shipped, ::testing::Values("yolo", "yolo-attach"));

class DevContainer : public ::testing::Test {
 protected:
  DevContainer() { fs::create_directory(folder_ / ".devcontainer"); }
  DevContainerTemplate with(std::string const& text) {
    test::write_file(folder_ / ".devcontainer/x", text);
    return {folder_.path().string(), {}};
  }
  test::TempDir folder_;
};

TEST_F(DevContainer, OptionsAreReplacedAndOtherVariablesStay) {
  auto const from = with("${templateOption:a} ${localWorkspaceFolder} ${templateOption:b}${templateOption:a}");
  auto const files = fill_in(from, {{"a", "1"}, {"b", "2"}});
  ASSERT_TRUE(files);
  EXPECT_EQ(files->front().content, "1 ${localWorkspaceFolder} 21");
}

TEST_F(DevContainer, AnOptionThatIsNotThereIsAnError) {
  EXPECT_THAT(fill_in(with("${templateOption:other}"), {{"a", "1"}}).error().what, HasSubstr("'other'"));
}

TEST_F(DevContainer, AValueCannotEndTheStringItStandsIn) {
  auto const from = with("{\"image\": \"${templateOption:image}\"}");
  for (auto const* bad : {"x\", \"privileged\": true, \"a\": \"", "x\ny", "x\\", "${localEnv:HOME}"})
    EXPECT_FALSE(fill_in(from, {{"image", bad}})) << bad;
  EXPECT_TRUE(fill_in(from, {{"image", "registry.example:5000/team/image@sha256:0123"}}));
}

TEST_F(DevContainer, AFolderWithoutATemplateIsAnError) {
  EXPECT_THAT(read_template(folder_.path().string()).error().what, HasSubstr("devcontainer-template.json"));
  test::write_file(folder_ / "devcontainer-template.json", "{}");
  EXPECT_THAT(read_template(folder_.path().string()).error().what, HasSubstr("no options"));
}

TEST(Purpose, IsTheFirstCommentOrTheDescription) {
  EXPECT_EQ(purpose_of("#!/bin/sh\n# What it does.\n# More.\n"), "What it does.");
  EXPECT_EQ(purpose_of("// For people.\n{}"), "For people.");
  EXPECT_EQ(purpose_of("{\"description\": \"A Feature\"}"), "A Feature");
  EXPECT_EQ(purpose_of("key: value\n# later\n"), "");
  EXPECT_EQ(purpose_of("#!/bin/sh"), "");
}

}  // namespace
}  // namespace sallyport::cli
