#include "proxy/request_target.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;

void connects(std::string_view target, std::string_view host, std::uint16_t port) {
  auto const authority = parse_connect_authority(target);
  ASSERT_TRUE(authority) << target << ": " << authority.error().what;
  EXPECT_EQ(authority->host.str(), host) << target;
  EXPECT_EQ(authority->port, port) << target;
}

void bad_connect(std::string_view target) { EXPECT_FALSE(parse_connect_authority(target)) << target; }

TEST(RequestTarget, ConnectIsHostAndPort) {
  connects("a.example:443", "a.example", 443);
  connects("A.Example.:443", "a.example", 443);
  connects("192.0.2.1:1", "192.0.2.1", 1);
  connects("[2001:DB8::1]:65535", "2001:db8::1", 65535);
}

TEST(RequestTarget, ConnectRefusesEverythingElse) {
  bad_connect("");
  bad_connect("a.example");
  bad_connect("a.example:");
  bad_connect(":443");
  bad_connect("a.example:0");
  bad_connect("a.example:00443");
  bad_connect("a.example:65536");
  bad_connect("a.example:99999999999");
  bad_connect("a.example:443 ");
  bad_connect("a.example: 443");
  bad_connect("a.example:+443");
  bad_connect("a.example:-1");
  bad_connect("a.example:0x1bb");
  bad_connect("a.example:443:443");
  bad_connect("a.example:443/");
  bad_connect("a.example:443\r\nX: y");
  bad_connect("user@a.example:443");
  bad_connect("github.com@evil.example:443");
  bad_connect("evil.example#github.com:443");
  bad_connect("evil.example?github.com:443");
  bad_connect("evil.example\\@github.com:443");
  bad_connect("a.example%2e:443");
  bad_connect("a..example:443");
  bad_connect("http://a.example:443");
  bad_connect("evil.example\0.a.example:443"s);
  bad_connect("::1:443");
  bad_connect("[::1]");
  bad_connect("[::1]443");
  bad_connect("[::1:443");
  bad_connect("[::1]x:443");
  bad_connect("[fe80::1%25eth0]:443");
  bad_connect("[a.example]:443");
  bad_connect("2130706433:443");
  bad_connect("0x7f.1:443");
  bad_connect("127.1:443");
}

TEST(RequestTarget, HostFieldMayLeaveThePortOut) {
  EXPECT_EQ(parse_host_field("a.example", 80)->port, 80);
  EXPECT_EQ(parse_host_field("a.example:8080", 80)->port, 8080);
  EXPECT_EQ(parse_host_field("[::1]", 80)->host.str(), "::1");
  EXPECT_EQ(parse_host_field("[::1]:81", 80)->port, 81);
  EXPECT_FALSE(parse_host_field("", 80));
  EXPECT_FALSE(parse_host_field("a.example:", 80));
  EXPECT_FALSE(parse_host_field("a.example, b.example", 80));
  EXPECT_FALSE(parse_host_field("a.example/", 80));
  EXPECT_FALSE(parse_host_field("u@a.example", 80));
}

RequestHead head_of(std::string_view target, std::optional<std::string_view> host) {
  RequestHead head;
  head.method = "GET";
  head.target = target;
  if (host) head.fields.push_back({"Host", std::string(*host)});
  return head;
}

void absolute(std::string_view target, std::string_view host_field, std::string_view expected) {
  auto const parsed = parse_absolute_target(head_of(target, host_field));
  ASSERT_TRUE(parsed) << target << ": " << parsed.error().what;
  EXPECT_EQ(parsed->host.authority() + ':' + std::to_string(parsed->port) + parsed->path.str(), expected);
}

void bad_absolute(std::string_view target, std::string_view host_field) {
  EXPECT_FALSE(parse_absolute_target(head_of(target, host_field))) << target << ", Host: " << host_field;
}

TEST(RequestTarget, AbsoluteFormIsAnHttpUrl) {
  absolute("http://a.example/x?y=z", "a.example", "a.example:80/x?y=z");
  absolute("HTTP://A.example:80/", "a.EXAMPLE", "a.example:80/");
  absolute("http://a.example:8080", "a.example:8080", "a.example:8080/");
  absolute("http://a.example?q", "a.example", "a.example:80/?q");
  absolute("http://[::1]:81/", "[::1]:81", "[::1]:81/");
  absolute("http://a.example/@scope%2fname", "a.example:80", "a.example:80/@scope%2Fname");
  EXPECT_TRUE(parse_absolute_target(head_of("http://a.example/", std::nullopt)));  // HTTP/1.0
}

TEST(RequestTarget, AbsoluteFormRefusesEverythingElse) {
  bad_absolute("https://a.example/", "a.example");
  bad_absolute("ftp://a.example/", "a.example");
  bad_absolute("http:/a.example/", "a.example");
  bad_absolute("//a.example/", "a.example");
  bad_absolute("/x", "a.example");
  bad_absolute("a.example", "a.example");
  bad_absolute("http://", "a.example");
  bad_absolute("http:///x", "a.example");
  bad_absolute("http://u:p@a.example/", "a.example");
  bad_absolute("http://b.example\\@a.example/", "a.example");
  bad_absolute("http://a.example#b.example/", "a.example");
  bad_absolute("http://a.example/x#f", "a.example");
  bad_absolute("http://a.example:/", "a.example");
  bad_absolute("http://a.example/../x", "a.example");
  bad_absolute("http://a.example/%2e%2e/x", "a.example");
  bad_absolute("http://a.example//x", "a.example");
  bad_absolute("http://a.example/a\\b", "a.example");
  bad_absolute("http://a.example/%00", "a.example");
  bad_absolute("http://a.example/%252e", "a.example");
}

TEST(RequestTarget, HostFieldAndAbsoluteFormNameOneAuthority) {
  bad_absolute("http://a.example/", "b.example");
  bad_absolute("http://a.example/", "a.example:8080");
  bad_absolute("http://a.example:8080/", "a.example");
  bad_absolute("http://a.example/", "");
  bad_absolute("http://a.example/", "a.example/");
}

TEST(RequestTarget, OriginFormTakesTheNameFromTheHostField) {
  auto const parsed = parse_origin_target(head_of("/x?y", "A.example"), 8080);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->host.str(), "a.example");
  EXPECT_EQ(parsed->port, 8080);
  EXPECT_EQ(parsed->path.str(), "/x?y");
  EXPECT_TRUE(parse_origin_target(head_of("/", "a.example:8080"), 8080));
}

TEST(RequestTarget, OriginFormRefusesEverythingElse) {
  EXPECT_FALSE(parse_origin_target(head_of("/", "a.example:80"), 8080));
  EXPECT_FALSE(parse_origin_target(head_of("/", std::nullopt), 80));
  EXPECT_FALSE(parse_origin_target(head_of("*", "a.example"), 80));
  EXPECT_FALSE(parse_origin_target(head_of("http://a.example/", "a.example"), 80));
  EXPECT_FALSE(parse_origin_target(head_of("a.example:80", "a.example"), 80));
  EXPECT_FALSE(parse_origin_target(head_of("//b.example/", "a.example"), 80));
  EXPECT_FALSE(parse_origin_target(head_of("/./x", "a.example"), 80));
}

}  // namespace
}  // namespace sallyport::proxy
