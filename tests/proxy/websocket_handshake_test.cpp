#include "proxy/websocket_handshake.hpp"

#include <gmock/gmock.h>

namespace sallyport::proxy {
namespace {

using testing::HasSubstr;

constexpr char const* kKey = "dGhlIHNhbXBsZSBub25jZQ==";  // RFC 6455 section 1.3
constexpr char const* kAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

RequestHead request(
    std::string const& start = "GET /chat HTTP/1.1",
    std::string const& fields = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
    std::string const& upgrade = "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n") {
  auto const step = parse_request_head(start + "\r\nHost: a.example\r\n" + upgrade + fields + "\r\n");
  return std::get<Parsed<RequestHead>>(step).head;
}

ResponseHead answer(std::string const& fields) {
  auto const step = parse_response_head("HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n", "GET");
  return std::get<Parsed<ResponseHead>>(step).head;
}

std::string refusal_of(RequestHead const& head) {
  EXPECT_TRUE(asks_for_websocket(head));
  auto const offer = read_websocket_offer(head);
  return offer ? "" : offer.error().what;
}

TEST(WebSocketOffer, IsReadFromAHandshakeInOrder) {
  auto const head =
      request("GET / HTTP/1.1", std::string("Sec-WebSocket-Key: ") + kKey +
                                    "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: chat, v2.chat\r\n"
                                    "Sec-WebSocket-Extensions: permessage-deflate, other\r\n");
  ASSERT_TRUE(asks_for_websocket(head));
  auto const offer = read_websocket_offer(head).value();
  EXPECT_EQ(offer.key, kKey);
  EXPECT_EQ(offer.protocols, (std::vector<std::string>{"chat", "v2.chat"}));
  EXPECT_EQ(offer.deflate.size(), 1u);
}

TEST(WebSocketOffer, OtherUpgradesAreNone) {
  EXPECT_FALSE(asks_for_websocket(request("GET / HTTP/1.1", "", "Upgrade: h2c\r\nConnection: Upgrade\r\n")));
  EXPECT_FALSE(asks_for_websocket(request("GET / HTTP/1.1", "", "")));
}

TEST(WebSocketOffer, AWrongHandshakeIsAnError) {
  std::string const key = "Sec-WebSocket-Key: " + std::string(kKey) + "\r\n", version = "Sec-WebSocket-Version: 13\r\n";
  std::string const get = "GET / HTTP/1.1";
  EXPECT_EQ(refusal_of(request()), "");
  EXPECT_THAT(refusal_of(request("POST / HTTP/1.1")), HasSubstr("GET"));
  EXPECT_THAT(refusal_of(request("GET / HTTP/1.0")), HasSubstr("HTTP/1.1"));
  EXPECT_THAT(refusal_of(request(get, key + version + "Content-Length: 3\r\n")), HasSubstr("body"));
  EXPECT_THAT(refusal_of(request(get, key + version, "Upgrade: websocket\r\n")), HasSubstr("Connection"));
  EXPECT_THAT(refusal_of(request(get, key)), HasSubstr("13"));
  EXPECT_THAT(refusal_of(request(get, key + "Sec-WebSocket-Version: 8\r\n")), HasSubstr("13"));
  EXPECT_THAT(refusal_of(request(get, key + version + version)), HasSubstr("13"));
  EXPECT_THAT(refusal_of(request(get, version)), HasSubstr("key"));
  EXPECT_THAT(refusal_of(request(get, version + key + key)), HasSubstr("key"));
  for (auto const* bad : {"", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZQ=!", "c2hvcnQ="})
    EXPECT_THAT(refusal_of(request(get, version + "Sec-WebSocket-Key: " + bad + "\r\n")), HasSubstr("key")) << bad;
  EXPECT_THAT(refusal_of(request(get, key + version + "Sec-WebSocket-Protocol: a, a\r\n")), HasSubstr("tokens"));
  EXPECT_THAT(refusal_of(request(get, key + version + "Sec-WebSocket-Protocol: a b\r\n")), HasSubstr("tokens"));
}

TEST(WebSocketOffer, OverHttp2ItHasNoKey) {
  RequestHead head;
  head.method = "GET";
  head.websocket = true;
  head.fields = {{"sec-websocket-version", "13"}};
  EXPECT_EQ(refusal_of(head), "");
  auto const offer = read_websocket_offer(head).value();
  EXPECT_EQ(offer.key, "");
  EXPECT_FALSE(websocket_response(ResponseHead(), offer, {}).field("sec-websocket-accept"));
  head.body = ContentLength{3};
  EXPECT_THAT(refusal_of(head), HasSubstr("body"));
  head.body = NoBody{};
  head.fields.clear();
  EXPECT_THAT(refusal_of(head), HasSubstr("13"));
}

TEST(WebSocketRequest, HasNeitherTheKeyNorUnknownExtensions) {
  auto const head = request("GET / HTTP/1.1", std::string("Sec-WebSocket-Key: ") + kKey +
                                                  "\r\nSec-WebSocket-Version: 13\r\nX-Kept: 1\r\n"
                                                  "Sec-WebSocket-Extensions: other, permessage-deflate\r\n");
  auto const sent = websocket_request(head, read_websocket_offer(head).value());
  EXPECT_TRUE(sent.websocket);
  EXPECT_FALSE(sent.field("sec-websocket-key"));
  EXPECT_EQ(sent.field("sec-websocket-version"), "13");
  EXPECT_EQ(sent.field("sec-websocket-extensions"), "permessage-deflate");
  EXPECT_EQ(sent.field("x-kept"), "1");
}

TEST(WebSocketKey, IsNewEachTimeAndAnsweredAsTheRfcSays) {
  EXPECT_EQ(websocket_accept(kKey), kAccept);
  auto const key = new_websocket_key();
  EXPECT_NE(key, new_websocket_key());
  EXPECT_EQ(refusal_of(request("GET / HTTP/1.1", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + "\r\n")), "");
}

struct WebSocketAnswerTest : testing::Test {
  WebSocketOffer offer{kKey, {"chat", "other"}, {DeflateParameters{}}};
  std::string const good = "Upgrade: WebSocket\r\nConnection: Upgrade\r\n";
  std::string const accept = "Sec-WebSocket-Accept: " + std::string(kAccept) + "\r\n";

  bool is_answer(std::string const& fields) { return read_websocket_answer(answer(fields), offer, kKey).has_value(); }
};

TEST_F(WebSocketAnswerTest, AnswersTheKeyAndKeepsToTheOffer) {
  EXPECT_TRUE(is_answer(good + accept));
  EXPECT_TRUE(
      is_answer(good + accept + "Sec-WebSocket-Protocol: other\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"));
  EXPECT_FALSE(is_answer(good));
  EXPECT_FALSE(is_answer(good + "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n"));
  EXPECT_FALSE(is_answer(good + accept + accept));
  EXPECT_FALSE(is_answer("Upgrade: h2c\r\nConnection: Upgrade\r\n" + accept));
  EXPECT_FALSE(is_answer("Upgrade: websocket\r\n" + accept));
  EXPECT_FALSE(is_answer(good + accept + "Sec-WebSocket-Protocol: third\r\n"));
  EXPECT_FALSE(is_answer(good + accept + "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat\r\n"));
  EXPECT_FALSE(is_answer(good + accept + "Sec-WebSocket-Extensions: other\r\n"));
}

TEST_F(WebSocketAnswerTest, TheClientGetsTheAnswerToItsOwnKey) {
  auto const key = new_websocket_key();
  auto const from_server =
      answer(good + "Sec-WebSocket-Accept: " + websocket_accept(key) +
             "\r\nSec-WebSocket-Protocol: chat\r\nSec-WebSocket-Extensions: permessage-deflate\r\nX-Kept: 1\r\n");
  auto const terms = read_websocket_answer(from_server, offer, key).value();
  auto const to_client = websocket_response(from_server, offer, terms);
  EXPECT_EQ(to_client.field("sec-websocket-accept"), kAccept);
  EXPECT_EQ(to_client.field("sec-websocket-protocol"), "chat");
  EXPECT_EQ(to_client.field("sec-websocket-extensions"), "permessage-deflate");
  EXPECT_EQ(to_client.field("x-kept"), "1");
}

}  // namespace
}  // namespace sallyport::proxy
