#include "audit/key_file.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <thread>
#include <vector>

namespace sallyport::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

void bad(fs::path const& dir, std::string_view what) {
  auto const key = load_or_create_key(dir.string());
  ASSERT_FALSE(key);
  EXPECT_THAT(key.error().what, HasSubstr(std::string(what)));
}

std::size_t files_in(fs::path const& dir) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir), fs::directory_iterator()));
}

TEST(KeyFile, IsMadeOnFirstUseForTheOwnerOnlyAndKept) {
  test::TempDir dir;
  auto const keys = dir / "state/sallyport";
  auto const first = load_or_create_key(keys.string()).value();
  EXPECT_EQ(fs::status(keys / "audit.key").permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(keys).permissions(), fs::perms(0700));
  EXPECT_EQ(files_in(keys), 1U);
  auto const second = load_or_create_key(keys.string()).value();
  EXPECT_EQ(second.public_text, first.public_text);
  EXPECT_EQ(second.signing_key().value().public_text(), first.public_text);
}

TEST(KeyFile, IsOneForSessionsThatStartTogether) {
  test::TempDir dir;
  std::vector<std::string> keys(8);
  std::vector<std::thread> sessions;
  for (auto& key : keys) {
    sessions.emplace_back([&] { key = load_or_create_key((dir / "k").string()).value().public_text; });
  }
  for (auto& session : sessions) session.join();
  for (auto const& key : keys) EXPECT_EQ(key, keys[0]);
  EXPECT_EQ(files_in(dir / "k"), 1U);
}

TEST(KeyFile, IsRefusedWhenOthersCouldHaveReadIt) {
  test::TempDir dir;
  ASSERT_TRUE(load_or_create_key(dir.path().string()));
  fs::permissions(dir / "audit.key", fs::perms(0640));
  bad(dir.path(), "open to others");
}

TEST(KeyFile, IsRefusedWhenItIsALink) {
  test::TempDir dir;
  ASSERT_TRUE(load_or_create_key((dir / "real").string()));
  fs::create_directory(dir / "k");
  fs::create_symlink(dir / "real/audit.key", dir / "k/audit.key");
  bad(dir / "k", "open ");
}

TEST(KeyFile, IsRefusedWhenItBelongsToAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  test::TempDir dir;
  ASSERT_TRUE(load_or_create_key(dir.path().string()));
  ASSERT_EQ(::chown((dir / "audit.key").c_str(), 12345, 12345), 0);
  bad(dir.path(), "another user");
}

TEST(KeyFile, IsRefusedWhenItIsSomethingElse) {
  test::TempDir dir;
  for (std::string const& content :
       {std::string(), std::string("x\n"), std::string("ed25519:AAAA"), std::string(5000, 'x')}) {
    test::write_file(dir / "audit.key", content);
    fs::permissions(dir / "audit.key", fs::perms(0600));
    EXPECT_FALSE(load_or_create_key(dir.path().string())) << content;
  }
}

TEST(KeyFile, SignsOnlyWhenBothHalvesBelongTogether) {
  test::TempDir dir;
  auto key = load_or_create_key((dir / "a").string()).value();
  key.public_text = load_or_create_key((dir / "b").string()).value().public_text;
  ASSERT_FALSE(key.signing_key());
  EXPECT_THAT(key.signing_key().error().what, HasSubstr("not that of its first line"));
}

TEST(KeyFile, TellsItsPublicKeyWithoutMakingOne) {
  test::TempDir dir;
  EXPECT_FALSE(public_key_in(dir.path().string()).value());
  EXPECT_FALSE(fs::exists(dir / "audit.key"));
  auto const made = load_or_create_key(dir.path().string()).value();
  EXPECT_EQ(public_key_in(dir.path().string()).value(), made.public_text);
}

}  // namespace
}  // namespace sallyport::audit
