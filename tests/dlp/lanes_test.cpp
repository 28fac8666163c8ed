#include "dlp/lanes.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Lanes, NarrowerOnesArePossibleWhereWiderOnesAre) {
  auto const possible = possible_lanes();
  EXPECT_EQ(Lanes::scalar, possible.front());
  EXPECT_EQ(best_lanes(), possible.back());
  EXPECT_EQ(static_cast<std::size_t>(best_lanes()) + 1, possible.size());
}

}  // namespace
}  // namespace sallyport::dlp
