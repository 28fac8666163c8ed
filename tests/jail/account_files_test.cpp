#include "jail/account_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace sallyport::jail {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr Identity kNobodyHasThis{61234, 61235, false};

std::string host_file(char const* path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

TEST(AccountFiles, AddOneLineForAUserTheHostDoesNotKnow) {
  auto const passwd = passwd_with(kNobodyHasThis, "/home/u");
  ASSERT_TRUE(passwd);
  EXPECT_THAT(*passwd, StartsWith(host_file("/etc/passwd")));
  EXPECT_THAT(*passwd, EndsWith("\nsallyport:x:61234:61235:Sallyport:/home/u:/bin/sh\n"));
  auto const group = group_with(kNobodyHasThis);
  ASSERT_TRUE(group);
  EXPECT_THAT(*group, StartsWith(host_file("/etc/group")));
  EXPECT_THAT(*group, EndsWith("\nsallyport:x:61235:\n"));
}

TEST(AccountFiles, StayTheHostsForAUserItKnows) {
  EXPECT_FALSE(passwd_with({0, 61235, false}, "/root"));
  EXPECT_FALSE(group_with({61234, 0, false}));
}

TEST(AccountFiles, LookAtTheUidNotAtTheGid) {
  EXPECT_TRUE(passwd_with({61234, 0, false}, "/home/u"));
  EXPECT_TRUE(group_with({0, 61235, false}));
}

}  // namespace
}  // namespace sallyport::jail
