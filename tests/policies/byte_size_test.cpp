#include "policies/byte_size.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

TEST(ByteSize, HasBinaryUnits) {
  std::pair<std::string_view, std::uint64_t> const sizes[] = {{"1", 1}, {"1500B", 1500}, {"64KiB", 65536}, {"10MiB", 10485760}, {"2GiB", 2147483648}};
  for (auto const& [text, bytes] : sizes) EXPECT_EQ(parse_byte_size(text).value(), bytes) << text;
}

TEST(ByteSize, RefusesWhatPeopleReadInTwoWays) {
  for (auto text : {"", "0", "0KiB", "-1", "1K", "1KB", "1 MiB", "1.5MiB", "MiB", "1mib", "0x10", "9223372036854775808", "9007199254740993GiB"})
    EXPECT_FALSE(parse_byte_size(text)) << text;
}

TEST(ByteSize, IsWrittenInTheLargestWholeUnit) {
  for (auto text : {"1B", "1500B", "64KiB", "1MiB", "3GiB"}) EXPECT_EQ(byte_size_text(parse_byte_size(text).value()), text);
  EXPECT_EQ(byte_size_text(1024 * 1024 + 1024), "1025KiB");
}

}  // namespace
}  // namespace sallyport::policies
