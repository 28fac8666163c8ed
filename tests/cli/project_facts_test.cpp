#include "cli/project_facts.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProjectFacts, EachEcosystemIsNamedOnceWithTheFileThatAsksForIt) {
  test::TempDir project;
  for (auto const* name : {"package.json", "pyproject.toml", "requirements-dev.txt", "Cargo.toml", "App.csproj"})
    test::write_file(project / name, "");
  EXPECT_THAT(*presets_for(project.path()), ElementsAre(PresetChoice{"npm", "package.json"}, PresetChoice{"pypi", "pyproject.toml"},
                                                        PresetChoice{"cargo", "Cargo.toml"}, PresetChoice{"nuget", "App.csproj"}));
}

TEST(ProjectFacts, PatternsFitWholeNamesOnly) {
  test::TempDir project;
  for (auto const* name : {"package.json.bak", "my-requirements.txt", "requirements.txt.old", ".csproj"})
    test::write_file(project / name, "");
  EXPECT_THAT(*presets_for(project.path()), IsEmpty());
}

TEST(ProjectFacts, AFolderThatCannotBeReadIsAnError) { EXPECT_FALSE(presets_for("/nowhere")); }

}  // namespace
}  // namespace sallyport::cli
