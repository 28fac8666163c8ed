#include "dlp/digest.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Digest, Sha256AgreesWithFips180) {
  auto digest = sha256("abc");
  EXPECT_EQ(0xba, digest[0]);
  EXPECT_EQ(0xad, digest[31]);
}

TEST(Digest, DependsOnSaltAndValue) {
  EXPECT_EQ(value_digest("s", "v"), value_digest("s", "v"));
  EXPECT_NE(value_digest("s", "v"), value_digest("t", "v"));
  EXPECT_NE(value_digest("s", "v"), value_digest("s", "w"));
}

TEST(Digest, IsWrittenInHexadecimal) { EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223", to_hex(value_digest("a", "bc"))); }

}  // namespace
}  // namespace sallyport::dlp
