#include "proxy/h2_head.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace sallyport::proxy {
namespace {

using testing::ElementsAre;

using Fields = std::vector<Field>;

Fields get(Fields more = {}) {
  Fields block{{":method", "GET"}, {":scheme", "https"}, {":authority", "a.example"}, {":path", "/p?q"}};
  block.insert(block.end(), more.begin(), more.end());
  return block;
}

Fields post(Fields more = {}) {
  auto block = get(std::move(more));
  block[0].value = "POST";
  return block;
}

void bad(Fields const& block, std::string const& what, Code code = Code::invalid) {
  auto const request = h2_request_of(block, EndStream::yes);
  ASSERT_FALSE(request) << what;
  EXPECT_EQ(request.error().code, code);
  EXPECT_THAT(request.error().what, testing::HasSubstr(what));
}

TEST(H2Request, BecomesTheHeadThatTheRestOfTheProxyKnows) {
  auto const request = h2_request_of(get({{"accept", "*/*"}, {"host", "A.example"}}), EndStream::yes).value();
  EXPECT_EQ(request.head.method, "GET");
  EXPECT_EQ(request.head.target, "/p?q");
  EXPECT_EQ(request.scheme, "https");
  EXPECT_EQ(request.protocol, "");
  EXPECT_THAT(request.head.fields, ElementsAre(Field{"host", "a.example"}, Field{"accept", "*/*"}));
  EXPECT_EQ(request.head.body, BodyKind{NoBody{}});
}

TEST(H2Request, BodyIsWhatTheFieldsOrTheFramesSay) {
  EXPECT_EQ(h2_request_of(post({{"content-length", "7"}}), EndStream::no)->head.body, BodyKind{ContentLength{7}});
  EXPECT_EQ(h2_request_of(post(), EndStream::no)->head.body, BodyKind{Chunked{}});
  EXPECT_EQ(h2_request_of(post(), EndStream::yes)->head.body, BodyKind{NoBody{}});
  EXPECT_TRUE(h2_request_of(post({{"expect", "100-continue"}}), EndStream::no)->head.expect_continue);
}

TEST(H2Request, PiecesOfCookiesBecomeOneField) {
  auto const request = h2_request_of(get({{"cookie", "a=1"}, {"x", "y"}, {"cookie", "b=2"}}), EndStream::yes).value();
  EXPECT_THAT(request.head.fields, ElementsAre(Field{"host", "a.example"}, Field{"cookie", "a=1; b=2"}, Field{"x", "y"}));
}

TEST(H2Request, ExtendedConnectNamesItsProtocol) {
  Fields const block{{":method", "CONNECT"}, {":protocol", "websocket"}, {":scheme", "https"}, {":path", "/chat"},
                     {":authority", "a.example"}};
  auto const request = h2_request_of(block, EndStream::no).value();
  EXPECT_EQ(request.protocol, "websocket");
  EXPECT_EQ(request.head.target, "/chat");
}

TEST(H2Request, PlainConnectHasTheAuthorityAsTarget) {
  auto const request = h2_request_of({{":method", "CONNECT"}, {":authority", "a.example:443"}}, EndStream::no).value();
  EXPECT_EQ(request.head.target, "a.example:443");
  EXPECT_EQ(request.head.body, BodyKind{NoBody{}});
}

TEST(H2Request, AuthorityIsNeededAndIsTheOnlyOne) {
  bad({{":method", "GET"}, {":scheme", "https"}, {":path", "/"}}, "no :authority");
  bad({{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {"host", "a.example"}}, "no :authority");
  bad(get({{"host", "b.example"}}), "Host is not");
  bad(get({{"host", "a.example"}, {"host", "b.example"}}), "Host is not");
}

TEST(H2Request, ChecksOfFieldsAreThoseOfHttp1) {
  bad(get({{"authorization", "a"}, {"authorization", "b"}}), "more than one authorization");
  bad(get({{"x-http-method-override", "DELETE"}}), "another method");
  bad(get({{"expect", "a miracle"}}), "Expect");
  bad(get({{"content-length", "1"}, {"content-length", "1"}}), "more than one Content-Length");
  bad(get({{"content-length", "-1"}}), "Content-Length");
  auto block = get();
  block[3].value = "/a b";
  bad(block, ":path");
  block[3].value = "/" + std::string(limits::kMaxTargetBytes, 'a');
  bad(block, "request target", Code::limit);
  block = get();
  block[0].value = "G T";
  bad(block, "method");
}

ResponseHead response(Fields block, EndStream end, std::string_view method = "GET") {
  block.insert(block.begin(), {":status", "200"});
  return h2_response_of(block, method, end).value();
}

TEST(H2Response, BodyIsWhatTheFieldsOrTheFramesSay) {
  EXPECT_EQ(response({}, EndStream::no).status, 200);
  EXPECT_EQ(response({}, EndStream::no).body, BodyKind{Chunked{}});
  EXPECT_EQ(response({}, EndStream::yes).body, BodyKind{ContentLength{0}});
  EXPECT_EQ(response({{"content-length", "9"}}, EndStream::no).body, BodyKind{ContentLength{9}});
  EXPECT_EQ(response({{"content-length", "9"}}, EndStream::yes, "HEAD").body, BodyKind{NoBody{}});
  EXPECT_FALSE(h2_response_of({{":status", "200"}, {"content-length", "x"}}, "GET", EndStream::no));
}

RequestHead head_of(Fields fields) {
  RequestHead head;
  head.method = "POST";
  head.target = "/as/it/came/";
  head.fields = std::move(fields);
  return head;
}

HttpTarget target(std::uint16_t port) {
  return {policies::CanonicalHost::from("a.example").value(), port, policies::CanonicalPath::from("/p").value(), UrlScheme::https};
}

TEST(H2RequestFields, AreCanonicalAndEndToEnd) {
  auto const head = head_of({{"Host", "other.example"}, {"Connection", "close, X-Hop"}, {"X-Hop", "1"}, {"TE", "gzip, trailers"},
                             {"Proxy-Authorization", "p"}, {"Accept", "*/*"}, {"Transfer-Encoding", "chunked"}});
  EXPECT_THAT(h2_request_fields(head, target(443), ""),
              ElementsAre(Field{":method", "POST"}, Field{":scheme", "https"}, Field{":authority", "a.example"}, Field{":path", "/p"},
                          Field{"Accept", "*/*"}, Field{"te", "trailers"}));
}

TEST(H2RequestFields, PortExpectAndLengthAreWrittenAnew) {
  auto head = head_of({});
  head.expect_continue = true;
  head.body = ContentLength{5};
  EXPECT_THAT(h2_request_fields(head, target(8443), ""),
              ElementsAre(Field{":method", "POST"}, Field{":scheme", "https"}, Field{":authority", "a.example:8443"},
                          Field{":path", "/p"}, Field{"expect", "100-continue"}, Field{"content-length", "5"}));
}

TEST(H2RequestFields, ProtocolMakesAnExtendedConnect) {
  auto const block = h2_request_fields(head_of({}), target(443), "websocket");
  EXPECT_EQ(block[0], (Field{":method", "CONNECT"}));
  EXPECT_EQ(block[4], (Field{":protocol", "websocket"}));
}

TEST(H2ResponseFields, DropWhatOnlyTheGatewayMaySay) {
  ResponseHead head;
  head.status = 200;
  head.fields = {{"Sallyport-Reason", "forged"}, {"Keep-Alive", "1"}, {"ETag", "e"}, {"Content-Length", "3"}};
  head.body = ContentLength{3};
  EXPECT_THAT(h2_response_fields(head), ElementsAre(Field{"ETag", "e"}, Field{"content-length", "3"}));
  head.body = NoBody{};  // an answer to HEAD
  EXPECT_THAT(h2_response_fields(head), ElementsAre(Field{"ETag", "e"}, Field{"content-length", "3"}));
}

TEST(H2TrailerFields, FrameAndRouteNothing) {
  EXPECT_THAT(h2_trailer_fields({{"grpc-status", "0"}, {"Content-Length", "9"}, {"host", "x"}, {"transfer-encoding", "chunked"}}),
              ElementsAre(Field{"grpc-status", "0"}));
}

}  // namespace
}  // namespace sallyport::proxy
