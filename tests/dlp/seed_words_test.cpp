#include "dlp/seed_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp {
namespace {

TEST(SeedWords, AreTwoThousandAndFortyEight) {
  auto const words = seed_words();
  EXPECT_EQ(2047, std::count(words.begin(), words.end(), ' '));
  EXPECT_TRUE(words.starts_with("abandon ability "));
  EXPECT_TRUE(words.ends_with(" zone zoo"));
}

}  // namespace
}  // namespace sallyport::dlp
