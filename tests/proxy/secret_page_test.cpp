#include "proxy/secret_page.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::array<unsigned char, 4> kSecret = {1, 2, 3, 4};

bool holds_secret(SecretPage const& page) {
  auto const bytes = page.bytes();
  return std::equal(bytes.begin(), bytes.end(), kSecret.begin(), kSecret.end());
}

/// Whether a child that is forked now sees the secret.
bool child_sees(SecretPage const& page) {
  pid_t const pid = ::fork();
  if (pid == 0) ::_exit(holds_secret(page) ? 1 : 0);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WEXITSTATUS(status) == 1;
}

TEST(SecretPage, ChildrenSeeItOnlyWhenItIsShared) {
  auto page = SecretPage::holding(kSecret).value();
  EXPECT_TRUE(holds_secret(page));
  EXPECT_FALSE(child_sees(page));
  ASSERT_TRUE(page.share_with_children());
  EXPECT_TRUE(child_sees(page));
}

TEST(SecretPage, MovedAndWipedPagesAreEmpty) {
  auto page = SecretPage::holding(kSecret).value();
  auto other = std::move(page);
  EXPECT_TRUE(page.bytes().empty());
  EXPECT_TRUE(holds_secret(other));
  other.wipe();
  EXPECT_TRUE(other.bytes().empty());
}

}  // namespace
}  // namespace sallyport::proxy
