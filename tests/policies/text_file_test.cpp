#include "policies/text_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sallyport::policies {
namespace {

TEST(TextFile, ReadsTheWholeFileOrSaysWhatThePathIs) {
  auto const path = testing::TempDir() + "text_file_test.yaml";
  std::ofstream(path, std::ios::binary) << std::string(10000, 'a') << "\nend";
  EXPECT_EQ(read_text_file(path).value(), std::string(10000, 'a') + "\nend");
  std::filesystem::remove(path);
  EXPECT_NE(read_text_file(path).error().what.find("cannot be read"), std::string::npos);
  EXPECT_EQ(read_text_file(testing::TempDir()).error().what, "is a directory, not a file");
}

TEST(TextFile, ASlashOrAnEndingSaysThatAPolicyIsAFile) {
  for (auto const* file : {"./npm", "policies/x", "x.yaml", "x.yml"}) EXPECT_TRUE(is_policy_file(file)) << file;
  for (auto const* preset : {"npm", "yaml", ""}) EXPECT_FALSE(is_policy_file(preset)) << preset;
}

}  // namespace
}  // namespace sallyport::policies
