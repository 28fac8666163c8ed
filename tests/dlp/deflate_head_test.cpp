#include "dlp/deflate_head.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace sallyport::dlp {
namespace {

std::string raw_deflate(std::string const& text, int level, int strategy) {
  z_stream stream{};
  EXPECT_EQ(Z_OK, ::deflateInit2(&stream, level, Z_DEFLATED, -15, 8, strategy));
  std::string out(text.size() + 1024, '\0');
  // SAFETY: zlib does not write through next_in; sizes go with the pointers.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(Z_STREAM_END, ::deflate(&stream, Z_FINISH));
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

TEST(DeflateHead, StreamsOfEveryKindMayBeginSo) {
  ExampleRandom random(1);
  for (int round = 0; round < 300; ++round) {
    auto text = random.text("token = abcdefgh \n", 15 + random.below(300));
    if (round % 3 == 0) text = random.bytes(15 + random.below(300));
    for (int level : {0, 1, 6, 9}) {
      for (int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE}) {
        auto const stream = raw_deflate(text, level, strategy);
        for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{9}, std::size_t{24}, stream.size()}) {
          EXPECT_TRUE(may_begin_deflate(std::string_view(stream).substr(0, size))) << "level " << level << " strategy " << strategy << " size " << size;
        }
      }
    }
  }
}

TEST(DeflateHead, MatchCountsWithItsLength) {
  std::string const stream = raw_deflate("ab" + std::string(60, 'c'), 9, Z_FIXED);  // a few literals and one long match
  EXPECT_LT(stream.size(), 9u);
  EXPECT_TRUE(may_begin_deflate(stream));
}

TEST(DeflateHead, RandomBytesHardlyDo) {
  ExampleRandom random(2);
  int may = 0;
  for (int i = 0; i < 10'000; ++i) may += may_begin_deflate(random.bytes(48)) ? 1 : 0;
  EXPECT_LT(may, 100);
}

}  // namespace
}  // namespace sallyport::dlp
