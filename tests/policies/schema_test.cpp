#include "policies/schema.hpp"

#include "policies/policy_keys.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>
#include <set>
#include <string>

namespace sallyport::policies {
namespace {

namespace json = boost::json;

/// The keys the schema accepts in one kind of mapping.
std::set<std::string> schema_keys(json::value const& mapping) {
  EXPECT_EQ(mapping.at("additionalProperties"), json::value(false)) << "unknown keys are errors in the loader";
  std::set<std::string> keys;
  for (auto const& property : mapping.at("properties").as_object()) keys.insert(property.key());
  return keys;
}

std::set<std::string> loader_keys(Section section) {
  std::set<std::string> keys;
  for (auto const& key : keys_of(section)) {
    if (key.availability == Availability::now) keys.insert(std::string(key.name));
  }
  return keys;
}

TEST(PolicySchema, AcceptsExactlyTheKeysOfTheLoader) {
  auto const schema = json::parse(policy_schema());
  auto const& definitions = schema.at("$defs");
  EXPECT_EQ(schema_keys(schema), loader_keys(Section::document));
  EXPECT_EQ(schema_keys(definitions.at("rule")), loader_keys(Section::rule));
  EXPECT_EQ(schema_keys(definitions.at("git")), loader_keys(Section::git));
  EXPECT_EQ(schema_keys(definitions.at("limits")), loader_keys(Section::limits));
  EXPECT_EQ(schema_keys(definitions.at("test")), loader_keys(Section::test));
  EXPECT_EQ(schema_keys(definitions.at("jail")), loader_keys(Section::jail));
  EXPECT_EQ(schema_keys(definitions.at("filesystem")), loader_keys(Section::filesystem));
  EXPECT_EQ(schema_keys(definitions.at("dlp")), loader_keys(Section::dlp));
  EXPECT_EQ(schema_keys(definitions.at("detectors")), loader_keys(Section::detectors));
  EXPECT_EQ(schema_keys(definitions.at("dlp_exception")), loader_keys(Section::dlp_exception));
  EXPECT_EQ(schema_keys(definitions.at("credential")), loader_keys(Section::credential));
  EXPECT_EQ(schema_keys(definitions.at("credential_source")), loader_keys(Section::credential_source));
  EXPECT_EQ(schema_keys(definitions.at("environment")), loader_keys(Section::environment));
}

}  // namespace
}  // namespace sallyport::policies
