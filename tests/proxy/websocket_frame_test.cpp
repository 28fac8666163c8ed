#include "proxy/websocket_frame.hpp"

#include "tests/proxy/websocket_frames.hpp"

namespace sallyport::proxy {
namespace {

using namespace std::string_view_literals;

FrameHead ok(std::string_view bytes) {
  auto const step = parse_frame_head(bytes);
  auto const* parsed = std::get_if<Parsed<FrameHead>>(&step);
  EXPECT_NE(parsed, nullptr);
  return parsed == nullptr ? FrameHead{} : parsed->head;
}

bool is_bad(std::string_view bytes) { return std::holds_alternative<Error>(parse_frame_head(bytes)); }

// RFC 6455 section 5.7.
TEST(FrameHead, ReadsTheExamplesOfTheRfc) {
  EXPECT_EQ(ok("\x81\x05Hello"sv), (FrameHead{Opcode::text, Fin::yes, Packed::no, std::nullopt, 5}));
  EXPECT_EQ(ok("\x81\x85\x37\xfa\x21\x3d\x7f"sv), (FrameHead{Opcode::text, Fin::yes, Packed::no, tests::kTestMask, 5}));
  EXPECT_EQ(ok("\x01\x03Hel"sv), (FrameHead{Opcode::text, Fin::no, Packed::no, std::nullopt, 3}));
  EXPECT_EQ(ok("\x82\x7e\x01\x00"sv).length, 256u);
  EXPECT_EQ(ok("\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"sv).length, 65536u);
  EXPECT_EQ(ok("\xc1\x00"sv).packed, Packed::yes);
}

TEST(FrameHead, NeedsAllOfItsBytes) {
  auto const whole = "\x82\xff\x00\x00\x00\x00\x00\x01\x00\x00mask"sv;
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(std::holds_alternative<NeedMore>(parse_frame_head(whole.substr(0, size)))) << size;
  EXPECT_EQ(std::get<Parsed<FrameHead>>(parse_frame_head(whole)).head_bytes, whole.size());
}

TEST(FrameHead, RefusesReservedBitsOpcodesAndLengths) {
  EXPECT_TRUE(is_bad("\xa1\x00"sv)) << "RSV2";
  EXPECT_TRUE(is_bad("\x91\x00"sv)) << "RSV3";
  for (char const opcode : {'\x83', '\x87', '\x8b', '\x8f'}) EXPECT_TRUE(is_bad(std::string{opcode, '\0'}));
  EXPECT_TRUE(is_bad("\x82\x7e\x00\x7d"sv)) << "125 in 16 bits";
  EXPECT_FALSE(is_bad("\x82\x7e\x00\x7e"sv));
  EXPECT_TRUE(is_bad("\x82\x7f\x00\x00\x00\x00\x00\x00\xff\xff"sv)) << "65535 in 64 bits";
  EXPECT_TRUE(is_bad("\x82\x7f\x80\x00\x00\x00\x00\x00\x00\x00"sv)) << "2^63";
  EXPECT_FALSE(is_bad("\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"sv));
}

TEST(FrameHead, IsWrittenAsItIsRead) {
  for (std::uint64_t const length : {0ull, 125ull, 126ull, 65535ull, 65536ull, (1ull << 63) - 1}) {
    for (auto const& mask : {std::optional<MaskingKey>(), std::optional(tests::kTestMask)}) {
      FrameHead const head{Opcode::binary, Fin::no, Packed::yes, mask, length};
      std::string bytes;
      append_frame_head(bytes, head);
      EXPECT_EQ(ok(bytes), head) << length;
    }
  }
}

TEST(ApplyMask, CountsFromTheStartOfTheFrame) {
  std::string text = "Hello";
  apply_mask(text.data(), 2, tests::kTestMask, 0);
  apply_mask(text.data() + 2, 3, tests::kTestMask, 2);
  EXPECT_EQ(text, "\x7f\x9f\x4d\x51\x58");  // RFC 6455 section 5.7
}

}  // namespace
}  // namespace sallyport::proxy
