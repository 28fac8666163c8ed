#include "proxy/websocket_checker.hpp"

#include "tests/proxy/websocket_frames.hpp"

namespace sallyport::proxy {
namespace {

using tests::close_payload;

FrameHead head_of(Opcode opcode, Fin fin = Fin::yes, std::uint64_t length = 1) {
  return {opcode, fin, Packed::no, tests::kTestMask, length};
}

/// Whether a client may send these one after the other.
bool may_send(std::vector<FrameHead> const& heads, Compression compression = Compression::none) {
  WebSocketChecker checker(WebSocketSide::client, compression);
  return std::all_of(heads.begin(), heads.end(), [&](FrameHead const& head) { return checker.check(head).has_value(); });
}

TEST(WebSocketChecker, ClientsMaskAndServersDoNot) {
  auto const masked = head_of(Opcode::text);
  auto bare = masked;
  bare.mask.reset();
  EXPECT_TRUE(WebSocketChecker(WebSocketSide::client, Compression::none).check(masked));
  EXPECT_FALSE(WebSocketChecker(WebSocketSide::client, Compression::none).check(bare));
  EXPECT_TRUE(WebSocketChecker(WebSocketSide::server, Compression::none).check(bare));
  EXPECT_FALSE(WebSocketChecker(WebSocketSide::server, Compression::none).check(masked));
}

TEST(WebSocketChecker, FragmentsOfOneMessageFollowOneAnother) {
  auto const first = head_of(Opcode::text, Fin::no), middle = head_of(Opcode::continuation, Fin::no),
             end = head_of(Opcode::continuation);
  EXPECT_TRUE(may_send({first, middle, end, first, end}));
  EXPECT_TRUE(may_send({first, head_of(Opcode::ping), end})) << "control frames may come in between";
  EXPECT_FALSE(may_send({middle}));
  EXPECT_FALSE(may_send({head_of(Opcode::text), end}));
  EXPECT_FALSE(may_send({first, head_of(Opcode::binary)}));
}

TEST(WebSocketChecker, ControlFramesAreShortAndWhole) {
  EXPECT_TRUE(may_send({head_of(Opcode::ping, Fin::yes, 125)}));
  EXPECT_FALSE(may_send({head_of(Opcode::ping, Fin::yes, 126)}));
  EXPECT_FALSE(may_send({head_of(Opcode::close, Fin::no)}));
}

TEST(WebSocketChecker, NothingComesBehindAClose) {
  EXPECT_TRUE(may_send({head_of(Opcode::close)}));
  EXPECT_FALSE(may_send({head_of(Opcode::close), head_of(Opcode::text)}));
  EXPECT_FALSE(may_send({head_of(Opcode::close), head_of(Opcode::close)}));
}

TEST(WebSocketChecker, CompressionIsMarkedOnTheFirstFrameIfNegotiated) {
  auto packed = head_of(Opcode::text, Fin::no);
  packed.packed = Packed::yes;
  auto packed_end = head_of(Opcode::continuation);
  packed_end.packed = Packed::yes;
  auto packed_ping = head_of(Opcode::ping);
  packed_ping.packed = Packed::yes;
  EXPECT_FALSE(may_send({packed}));
  EXPECT_TRUE(may_send({packed, head_of(Opcode::continuation)}, Compression::negotiated));
  EXPECT_FALSE(may_send({packed, packed_end}, Compression::negotiated));
  EXPECT_FALSE(may_send({packed_ping}, Compression::negotiated));
}

TEST(ClosePayload, IsEmptyOrACodeAndUtf8) {
  EXPECT_TRUE(check_close_payload(""));
  EXPECT_FALSE(check_close_payload("\x03"));
  for (auto const code : {1000u, 1003u, 1007u, 1014u, 3000u, 4999u})
    EXPECT_TRUE(check_close_payload(close_payload(code, ""))) << code;
  for (auto const code : {0u, 999u, 1004u, 1005u, 1006u, 1015u, 1016u, 2999u, 5000u, 65535u})
    EXPECT_FALSE(check_close_payload(close_payload(code, ""))) << code;
  EXPECT_TRUE(check_close_payload(close_payload(1000,
                                                "gr\xc3\xbc\xc3\x9f"
                                                "e")));
  EXPECT_FALSE(check_close_payload(close_payload(1000, "\xc3")));
  EXPECT_FALSE(check_close_payload(close_payload(1000, "\xed\xa0\x80"))) << "a surrogate";
}

}  // namespace
}  // namespace sallyport::proxy
