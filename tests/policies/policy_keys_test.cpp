#include "policies/policy_keys.hpp"

#include <gtest/gtest.h>
#include <set>

namespace sallyport::policies {
namespace {

TEST(PolicyKeys, EachSectionNamesEachKeyOnce) {
  for (auto section : {Section::document, Section::rule, Section::git, Section::limits, Section::test, Section::jail,
                       Section::filesystem, Section::environment}) {
    std::set<std::string_view> names;
    for (auto const& key : keys_of(section)) EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(names.empty());
  }
}

}  // namespace
}  // namespace sallyport::policies
