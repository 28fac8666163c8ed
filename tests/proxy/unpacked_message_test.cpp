#include "proxy/unpacked_message.hpp"

#include "tests/proxy/grpc_messages.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using Unpacked = UnpackedMessage::Unpacked;

TEST(UnpackedMessage, ComesOutAsItWentIn) {
  std::string const text(100'000, 'a');
  for (auto const& [format, coding] : {std::pair{tests::Packed::gzip, dlp::Coding::gzip}, std::pair{tests::Packed::zlib, dlp::Coding::zlib}}) {
    auto const wire = tests::packed(text, format);
    UnpackedMessage message(coding);
    std::string plain;
    for (std::size_t at = 0; at < wire.size(); at += 7) {
      EXPECT_EQ(message.feed(std::string_view(wire).substr(at, 7), [&](std::string_view piece) { plain += piece; }), Unpacked::good);
    }
    EXPECT_TRUE(message.ended());
    EXPECT_TRUE(plain == text);
    EXPECT_EQ(message.packed_up_to(text.size()), wire.size());
  }
}

TEST(UnpackedMessage, PackedBytesGoNoFurtherThanThePlainOnesAreJudged) {
  auto const wire = tests::packed("twenty bytes of text", tests::Packed::gzip);
  UnpackedMessage message(dlp::Coding::gzip);
  std::size_t plain = 0;
  EXPECT_EQ(message.feed(wire, [&](std::string_view piece) { plain += piece.size(); }), Unpacked::good);
  EXPECT_EQ(plain, 20U);
  EXPECT_EQ(message.packed_up_to(19), 0U);
  EXPECT_EQ(message.packed_up_to(20), wire.size());
}

TEST(UnpackedMessage, WhatIsNotOfTheFormatOrGoesOnBehindItIsBroken) {
  auto const none = [](std::string_view) {};
  UnpackedMessage plain(dlp::Coding::gzip);
  EXPECT_EQ(plain.feed("just text, not compressed", none), Unpacked::broken);
  UnpackedMessage longer(dlp::Coding::zlib);
  EXPECT_EQ(longer.feed(tests::packed("text", tests::Packed::zlib) + "more", none), Unpacked::broken);
  UnpackedMessage half(dlp::Coding::zlib);
  EXPECT_EQ(half.feed(tests::packed("text", tests::Packed::zlib).substr(0, 5), none), Unpacked::good);
  EXPECT_FALSE(half.ended());
}

TEST(UnpackedMessage, BombIsCutOff) {
  auto const wire = tests::packed(std::string(64 * 1024 * 1024, '\0'), tests::Packed::gzip);
  UnpackedMessage message(dlp::Coding::gzip);
  std::size_t plain = 0;
  EXPECT_EQ(message.feed(wire, [&](std::string_view piece) { plain += piece.size(); }), Unpacked::too_large);
  EXPECT_LT(plain, 40U * 1024 * 1024);
}

}  // namespace
}  // namespace sallyport::proxy
