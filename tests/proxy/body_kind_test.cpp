#include "proxy/body_kind.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using Fields = std::vector<Field>;

void length_is(std::string_view value, std::uint64_t bytes) {
  auto const length = parse_content_length(value);
  ASSERT_TRUE(length) << value;
  EXPECT_EQ(*length, bytes) << value;
}

void bad_length(std::string_view value) { EXPECT_FALSE(parse_content_length(value)) << value; }

TEST(BodyKind, ReadsContentLengthsAsDigitsOnly) {
  length_is("0", 0);
  length_is("5", 5);
  length_is("005", 5);
  length_is("9223372036854775807", 9223372036854775807U);
  bad_length("");
  bad_length("-1");
  bad_length("+1");
  bad_length(" 1");
  bad_length("1 ");
  bad_length("1,1");
  bad_length("5, 5");
  bad_length("0x10");
  bad_length("1e3");
  bad_length("1.0");
  bad_length("9223372036854775808");
  bad_length("18446744073709551616");
  bad_length("18446744073709551621");  // 2^64 + 5
  bad_length("99999999999999999999999");
}

void request_is(Fields const& fields, BodyContext const& context, BodyKind const& expected) {
  auto const kind = request_body_kind(fields, context);
  ASSERT_TRUE(kind) << kind.error().what;
  EXPECT_EQ(*kind, expected);
}

void bad_request(Fields const& fields, BodyContext const& context = {"POST", 1}) {
  EXPECT_FALSE(request_body_kind(fields, context));
}

TEST(BodyKind, OfARequestComesFromItsFramingFields) {
  request_is({}, {"POST", 1}, NoBody{});
  request_is({{"Content-Length", "5"}}, {"POST", 1}, ContentLength{5});
  request_is({{"content-length", "5"}}, {"GET", 0}, ContentLength{5});
  request_is({{"Content-Length", "0"}}, {"POST", 1}, ContentLength{0});
  request_is({{"Transfer-Encoding", "Chunked"}}, {"POST", 1}, Chunked{});
  request_is({{"Content-Length", "0"}}, {"CONNECT", 1}, NoBody{});
}

TEST(BodyKind, RefusesFramingThatTwoParsersCouldReadInTwoWays) {
  bad_request({{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}});
  bad_request({{"Transfer-Encoding", "chunked"}, {"content-length", "0"}});
  bad_request({{"Content-Length", "5"}, {"Content-Length", "5"}});
  bad_request({{"Content-Length", "5"}, {"Content-Length", "6"}});
  bad_request({{"Content-Length", "5, 5"}});
  bad_request({{"Content-Length", ""}});
  bad_request({{"Transfer-Encoding", ""}});
  bad_request({{"Transfer-Encoding", "identity"}});
  bad_request({{"Transfer-Encoding", "xchunked"}});
  bad_request({{"Transfer-Encoding", "chunked, identity"}});
  bad_request({{"Transfer-Encoding", "identity, chunked"}});
  bad_request({{"Transfer-Encoding", "gzip, chunked"}});
  bad_request({{"Transfer-Encoding", "chunked, chunked"}});
  bad_request({{"Transfer-Encoding", "chunked,"}});
  bad_request({{"Transfer-Encoding", "chunked;q=1"}});
  bad_request({{"Transfer-Encoding", "\"chunked\""}});
  bad_request({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}});
  bad_request({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "identity"}});
  bad_request({{"Transfer-Encoding", "chunked"}}, {"POST", 0});
  bad_request({{"Content-Length", "5"}}, {"CONNECT", 1});
  bad_request({{"Transfer-Encoding", "chunked"}}, {"CONNECT", 1});
}

void response_is(Fields const& fields, BodyContext const& context, int status, BodyKind const& expected) {
  auto const kind = response_body_kind(fields, context, status);
  ASSERT_TRUE(kind) << kind.error().what;
  EXPECT_EQ(*kind, expected) << status;
}

TEST(BodyKind, OfAResponseDependsOnMethodAndStatus) {
  response_is({}, {"GET", 1}, 200, UntilClose{});
  response_is({{"Content-Length", "5"}}, {"GET", 1}, 200, ContentLength{5});
  response_is({{"Transfer-Encoding", "chunked"}}, {"GET", 1}, 200, Chunked{});
  response_is({{"Content-Length", "5"}}, {"HEAD", 1}, 200, NoBody{});
  response_is({{"Content-Length", "5"}}, {"head", 1}, 200, ContentLength{5});  // another method
  response_is({{"Content-Length", "5"}}, {"GET", 1}, 304, NoBody{});
  response_is({{"Content-Length", "5"}}, {"GET", 1}, 204, NoBody{});
  response_is({}, {"GET", 1}, 100, NoBody{});
  response_is({}, {"CONNECT", 1}, 200, NoBody{});
  response_is({}, {"CONNECT", 1}, 407, UntilClose{});
}

TEST(BodyKind, ChecksAResponseEvenIfItHasNoBody) {
  EXPECT_FALSE(response_body_kind({{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}, {"HEAD", 1}, 200));
  EXPECT_FALSE(response_body_kind({{"Content-Length", "5"}, {"Content-Length", "6"}}, {"GET", 1}, 304));
  EXPECT_FALSE(response_body_kind({{"Transfer-Encoding", "chunked"}}, {"GET", 0}, 200));
}

}  // namespace
}  // namespace sallyport::proxy
