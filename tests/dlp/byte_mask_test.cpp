#include "dlp/byte_mask.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(ByteMask, EveryEngineTellsEveryByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (auto const& set : {kAnyBase64, kHex, ByteSet::of("=>`(;&\"':"), ByteSet::of(" -~")}) {
    ByteMask const mask(set);
    for (auto lanes : possible_lanes()) {
      for (std::size_t at = 0; at < all.size(); at += 64) {
        auto const bits = mask.of(all.data() + at, 64, lanes);
        for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(set.contains(all[at + i]), (bits >> i & 1) != 0) << at + i;
      }
    }
  }
}

TEST(ByteMask, BytesBehindTheCountAreInNoSet) {
  ByteMask const mask(kAnyBase64);
  std::string const text(64, 'x');
  for (auto lanes : possible_lanes()) {
    for (std::size_t count = 1; count <= 64; ++count) EXPECT_EQ(~std::uint64_t{0} >> (64 - count), mask.of(text.data(), count, lanes));
  }
}

}  // namespace
}  // namespace sallyport::dlp
