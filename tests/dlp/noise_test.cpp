#include "dlp/noise.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Noise, AllLanesAgreeOnRandomBytesWithTextAtEveryPlace) {
  ExampleRandom random(1);
  for (std::size_t size = 0; size < 130; ++size) {
    auto bytes = random.bytes(size);
    for (auto lanes : possible_lanes()) EXPECT_EQ(is_noise(bytes, Lanes::scalar), is_noise(bytes, lanes)) << size;
    for (std::size_t at = 0; at + 12 <= size; at += 5) {
      auto with_text = bytes;
      with_text.replace(at, 12, "twelve bytes");
      for (auto lanes : possible_lanes()) EXPECT_FALSE(is_noise(with_text, lanes)) << at << " of " << size;
    }
  }
}

TEST(Noise, WideTextAndCompressedHeadsAreNone) {
  for (auto lanes : possible_lanes()) {
    EXPECT_FALSE(is_noise(std::string("g\0h\0p\0_\0a\0b\0", 12), lanes));
    EXPECT_FALSE(is_noise("\xff\x1f\x8b\x08\xff\xfe\x80", lanes));
    EXPECT_FALSE(is_noise("\xd0\xb0\xd1\x81\xd0\xb5\xd0\xbe", lanes));
    EXPECT_TRUE(is_noise("\xff\xfe\x80\x81\x01\x02\x90\x91", lanes));
  }
}

TEST(TextRun, MustBeLongerInALongText) {
  for (auto lanes : possible_lanes()) {
    for (std::size_t at = 0; at < 200; at += 7) {
      for (auto const& [size, run] : {std::pair<std::size_t, std::size_t>{300, 12}, {4095, 12}, {4096, 16}, {5000, 16}}) {
        std::string text(size, '\xff');
        text.replace(at, run - 1, std::string(run - 1, 'x'));
        EXPECT_FALSE(has_text_run(text, lanes)) << size;
        text[at + run - 1] = 'x';
        EXPECT_TRUE(has_text_run(text, lanes)) << size << " at " << at;
      }
    }
  }
}

TEST(HeadBytes, AreFoundAtEveryPlaceByAllLanes) {
  for (std::string head : {"\x1f\x8b", "\x78\x9c", "\x28\xb5", "PK"}) {
    for (std::size_t at = 0; at < 70; ++at) {
      std::string text(72, '.');
      text.replace(at, 2, head);
      for (auto lanes : possible_lanes()) {
        EXPECT_EQ(at, find_head_bytes(text, 0, lanes));
        EXPECT_EQ(std::string_view::npos, find_head_bytes(text, at + 1, lanes));
      }
    }
  }
}

TEST(MostlyText, AllowsAFewOtherBytes) {
  EXPECT_TRUE(is_mostly_text(std::string(60, 'a') + "\x80"));
  EXPECT_FALSE(is_mostly_text("a\x80\x81"));
}

}  // namespace
}  // namespace sallyport::dlp
