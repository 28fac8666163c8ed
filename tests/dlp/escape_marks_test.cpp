#include "dlp/escape_marks.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using Places = std::vector<std::size_t>;

TEST(EscapeMarks, StandBeforeWhatCanFollowThem) {
  auto marks = find_escape_marks("%4 %g \\u \\1 \\n &# &a && =0 =7 =8 =a =\n %");
  EXPECT_EQ((Places{0}), marks.percent);
  EXPECT_EQ((Places{6, 9}), marks.backslash);
  EXPECT_EQ((Places{15, 18}), marks.entity);
  EXPECT_EQ((Places{24, 27, 36}), marks.equals);
}

TEST(EscapeMarks, AllLanesAgree) {
  ExampleRandom random(1);
  for (std::size_t size = 0; size < 140; ++size) {
    for (auto text : {random.text("%\\&=0a7#xu\n ", size), random.bytes(size)}) {
      auto const slow = find_escape_marks(text, Lanes::scalar);
      for (auto lanes : possible_lanes()) {
        auto const fast = find_escape_marks(text, lanes);
        EXPECT_EQ(slow.percent, fast.percent);
        EXPECT_EQ(slow.backslash, fast.backslash);
        EXPECT_EQ(slow.entity, fast.entity);
        EXPECT_EQ(slow.equals, fast.equals);
      }
    }
  }
}

}  // namespace
}  // namespace sallyport::dlp
