#include "policies/nearest.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

constexpr std::string_view kWords[] = {"hosts", "ports", "paths", "env"};

TEST(Nearest, FindsTheWordThatWasMeant) {
  EXPECT_EQ(nearest("host", kWords), "hosts");
  EXPECT_EQ(nearest("prots", kWords), "ports");
  EXPECT_EQ(nearest("Paths", kWords), "paths");
  EXPECT_EQ(nearest("envs", kWords), "env");
}

TEST(Nearest, DoesNotGuessWildly) {
  EXPECT_EQ(nearest("credentials", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest(std::string(10'000, 'h'), kWords), "");
}

}  // namespace
}  // namespace sallyport::policies
