#include "policies/digest.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace sallyport::policies {
namespace {

std::string digest(std::vector<std::string_view> const& parts) { return digest_of(parts); }

TEST(DigestOf, IsSha256InHex) {
  // printf '' | sha256sum
  EXPECT_EQ(digest({}), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // printf '\0\0\0\0\0\0\0\3abc' | sha256sum
  EXPECT_EQ(digest({"abc"}), "sha256:c3494ca1a2cf8eeb8a11ded316fb55b83c3bbbedb6313cd50415251e5d09e12f");
}

TEST(DigestOf, TellsPartsApart) {
  EXPECT_NE(digest({"ab", "c"}), digest({"a", "bc"}));
  EXPECT_NE(digest({"a", "b"}), digest({"b", "a"}));
  EXPECT_NE(digest({"a"}), digest({"a", ""}));
}

}  // namespace
}  // namespace sallyport::policies
