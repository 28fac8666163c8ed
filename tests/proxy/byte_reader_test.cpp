#include "proxy/byte_reader.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using namespace std::string_view_literals;

TEST(ByteReader, ReadsNumbersInNetworkOrder) {
  ByteReader reader("\x01\x02\x03\xff\xfe\xfd"sv);
  EXPECT_EQ(reader.u8(), 0x01);
  EXPECT_EQ(reader.u16(), 0x0203);
  EXPECT_EQ(reader.u24(), 0xfffefdU);
  EXPECT_TRUE(reader.at_end());
}

TEST(ByteReader, ReadsNothingPastTheEndAndStaysWhereItIs) {
  ByteReader reader("ab"sv);
  EXPECT_FALSE(reader.u24());
  EXPECT_FALSE(reader.take(3));
  EXPECT_EQ(reader.position(), 0U);
  EXPECT_EQ(reader.take(2), "ab");
  EXPECT_FALSE(reader.u8());
}

TEST(ByteReader, ReadsVectorsWhole) {
  ByteReader reader(
      "\x02"
      "ab"
      "\x00\x01"
      "c"
      "rest"sv);
  EXPECT_EQ(reader.vector8(), "ab");
  EXPECT_EQ(reader.vector16(), "c");
  EXPECT_EQ(reader.rest(), "rest");
  EXPECT_FALSE(ByteReader("\x03"
                          "ab"sv)
                   .vector8());
  EXPECT_FALSE(ByteReader("\x00\x03"
                          "ab"sv)
                   .vector16());
  EXPECT_FALSE(ByteReader("\x00"sv).vector16());
}

}  // namespace
}  // namespace sallyport::proxy
