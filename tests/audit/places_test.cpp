#include "audit/places.hpp"

#include "tests/audit/sample_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace sallyport::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

void ok(std::string_view home, std::string_view state_home, std::string_view base) {
  auto const places = places_below(home, state_home);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->log_dir, std::string(base) + "/sallyport/audit");
  EXPECT_EQ(places->key_dir, std::string(base) + "/sallyport");
}

TEST(Places, AreBelowTheStateDirectoryOfTheUser) {
  ok("/home/u", "", "/home/u/.local/state");
  ok("/home/u", "/state", "/state");
  ok("/home/u", "relative", "/home/u/.local/state");
  ok("", "/state", "/state");
}

TEST(Places, AreNowhereWithoutAHome) {
  EXPECT_FALSE(places_below("", ""));
  EXPECT_FALSE(places_below("relative", ""));
}

TEST(Places, OfRootAreThoseOfTheSystem) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_EQ(default_places()->log_dir, "/var/log/sallyport");
  EXPECT_EQ(default_places()->key_dir, "/var/lib/sallyport");
}

TEST(Places, NameSessionsByTimeAndChance) {
  FakeClock clock;
  auto const id = new_session_id(clock).value();
  EXPECT_THAT(id, MatchesRegex("20261127T235959Z-[0-9a-f]{8}"));
  EXPECT_NE(id, new_session_id(clock).value());
}

TEST(Places, ListLogsOldestFirst) {
  test::TempDir dir;
  auto const in_dir = [&](std::string_view session) { return log_path(dir.path().string(), session); };
  test::write_file(in_dir("20261127T235959Z-00000000"), "");
  test::write_file(in_dir("20250101T000000Z-ffffffff"), "");
  test::write_file(dir / "notes.txt", "");
  EXPECT_THAT(list_logs(dir.path().string()).value(),
              ElementsAre(in_dir("20250101T000000Z-ffffffff"), in_dir("20261127T235959Z-00000000")));
}

TEST(Places, ListNoLogsWhereThereIsNoDirectory) {
  test::TempDir dir;
  EXPECT_THAT(list_logs((dir / "none").string()).value(), IsEmpty());
  test::write_file(dir / "file", "");
  EXPECT_FALSE(list_logs((dir / "file").string()));
}

}  // namespace
}  // namespace sallyport::audit
