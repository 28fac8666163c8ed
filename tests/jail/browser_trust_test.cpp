#include "jail/browser_trust.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kBrowserAuthority[] = "-----BEGIN CERTIFICATE-----\nAAEC\nAwQF\n-----END CERTIFICATE-----\n";
constexpr char kBrowserPolicy[] = "{\"CACertificates\": [\"AAECAwQF\"]}\n";

class BrowserTrust : public ::testing::Test {
 protected:
  void write(std::string const& name, std::string const& content) {
    fs::create_directories((etc_ / name).parent_path());
    std::ofstream(etc_ / name) << content;
  }
  std::vector<TrustDirectory> found() { return browser_trust(etc_.path().string(), kBrowserAuthority); }
  static std::vector<std::string> names(TrustDirectory const& directory) {
    std::vector<std::string> out;
    for (auto const& file : directory.files) out.push_back(file.name);
    return out;
  }

  test::TempDir etc_;
};

TEST_F(BrowserTrust, HostWithoutBrowsersGetsNothing) { EXPECT_THAT(found(), IsEmpty()); }

TEST_F(BrowserTrust, PolicyStandsBesideWhatTheDirectoryHas) {
  write("chromium/master_preferences", "{}");
  auto const directories = found();
  ASSERT_EQ(directories.size(), 1U);
  EXPECT_EQ(directories[0].place, (etc_ / "chromium").string());
  EXPECT_THAT(names(directories[0]), ElementsAre("master_preferences", "policies/managed/sallyport.json"));
  EXPECT_EQ(directories[0].files[0].host.path, (etc_ / "chromium/master_preferences").string());
  EXPECT_EQ(directories[0].files[0].host.length, 2U);
  EXPECT_EQ(directories[0].files[1].content, kBrowserPolicy);
}

TEST_F(BrowserTrust, AsLittleAsPossibleIsShownOver) {
  write("opt/chrome/policies/managed/corporate.json", "{}");
  write("opt/edge/policies/recommended/corporate.json", "{}");
  auto const directories = found();
  ASSERT_EQ(directories.size(), 2U);
  EXPECT_EQ(directories[0].place, (etc_ / "opt/chrome/policies/managed").string());
  EXPECT_THAT(names(directories[0]), ElementsAre("corporate.json", "sallyport.json"));
  EXPECT_EQ(directories[1].place, (etc_ / "opt/edge/policies").string());
  EXPECT_THAT(names(directories[1]), UnorderedElementsAre("recommended/corporate.json", "managed/sallyport.json"));
}

TEST_F(BrowserTrust, DirectoryWithManyOrLargeFilesIsLeftAlone) {
  write("chromium/large", std::string(65 * 1024, 'x'));
  for (int i = 0; i < 33; ++i) write("brave/" + std::to_string(i), "x");
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(BrowserTrust, DirectoryWithAFileThatIsNotForEverybodyIsLeftAlone) {
  write("chromium/secret", "x");
  fs::permissions(etc_ / "chromium/secret", fs::perms::owner_read);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(BrowserTrust, LinkIsNoPlaceForAMount) {
  fs::create_directories(etc_ / "elsewhere/policies/managed");
  fs::create_directory_symlink(etc_ / "elsewhere", etc_ / "chromium");
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace sallyport::jail
