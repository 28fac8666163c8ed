#include "proxy/field_lines.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;

HeadBytes found(std::string_view buffer, HeadKind kind) {
  auto const search = find_head(buffer, kind);
  EXPECT_TRUE(std::holds_alternative<HeadBytes>(search)) << buffer;
  return std::holds_alternative<HeadBytes>(search) ? std::get<HeadBytes>(search) : HeadBytes{};
}

void refused(std::string_view buffer, HeadKind kind, Code code) {
  auto const search = find_head(buffer, kind);
  ASSERT_TRUE(std::holds_alternative<Error>(search)) << buffer.substr(0, 80);
  EXPECT_EQ(std::get<Error>(search).code, code) << std::get<Error>(search).what;
}

void waits(std::string_view buffer, HeadKind kind) {
  EXPECT_TRUE(std::holds_alternative<NeedMore>(find_head(buffer, kind))) << buffer.substr(0, 80);
}

TEST(FieldLines, FindsTheHeadAndLeavesWhatIsBehindIt) {
  auto const head = found("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\nbody\n", HeadKind::request);
  EXPECT_EQ(head.start_line, "GET / HTTP/1.1");
  EXPECT_EQ(head.field_lines, "Host: a\r\nX: b\r\n");
  EXPECT_EQ(head.wire_bytes, 33U);
  EXPECT_EQ(found("HTTP/1.1 200 OK\r\n\r\n", HeadKind::response).field_lines, "");
}

TEST(FieldLines, SkipsAFewEmptyLinesInFrontOfARequestOnly) {
  EXPECT_EQ(found("\r\n\r\nGET / HTTP/1.1\r\n\r\n", HeadKind::request).start_line, "GET / HTTP/1.1");
  refused("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n", HeadKind::request, Code::invalid);
  refused("\r\nHTTP/1.1 200 OK\r\n\r\n", HeadKind::response, Code::invalid);
  waits("\r\n\r", HeadKind::request);
}

TEST(FieldLines, RefusesWhatCannotBeHttp1AtItsFirstLine) {
  refused("GET /\r\n", HeadKind::request, Code::invalid);
  refused("GET / HTTP/2.0\r\n", HeadKind::request, Code::invalid);
  refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", HeadKind::request, Code::invalid);
  refused("SSH-2.0-OpenSSH_9.2\r\n", HeadKind::request, Code::invalid);
  refused("SSH-2.0-OpenSSH_9.2\r\n", HeadKind::response, Code::invalid);
  refused("220 mail.example ESMTP\r\n", HeadKind::response, Code::invalid);
  refused("ICY 200 OK\r\n", HeadKind::response, Code::invalid);
}

TEST(FieldLines, RefusesABareLfBeforeTheHeadIsComplete) {
  refused("GET / HTTP/1.1\n", HeadKind::request, Code::invalid);
  refused("\n", HeadKind::request, Code::invalid);
  refused("GET / HTTP/1.1\r\nHost: a\n", HeadKind::request, Code::invalid);
  refused("GET / HTTP/1.1\r\nHost: a\r\n\n", HeadKind::request, Code::invalid);
}

TEST(FieldLines, BoundsBytesAndLines) {
  std::string const start = "GET / HTTP/1.1\r\n";
  std::string const largest = start + "X: "s + std::string(limits::kMaxHeadBytes - start.size() - 7, 'x') + "\r\n\r\n";
  ASSERT_EQ(largest.size(), limits::kMaxHeadBytes);
  EXPECT_EQ(found(largest, HeadKind::request).wire_bytes, limits::kMaxHeadBytes);
  waits(largest.substr(0, largest.size() - 1), HeadKind::request);
  refused(start + "X" + largest.substr(start.size()), HeadKind::request, Code::limit);
  refused(std::string(limits::kMaxHeadBytes, 'x'), HeadKind::request, Code::limit);
  std::string many = start;
  for (std::size_t i = 0; i < limits::kMaxHeaderFields; ++i) many += "a:\r\n";
  found(many + "\r\n", HeadKind::request);
  refused(many + "a:\r\n", HeadKind::request, Code::limit);
}

void ok(std::string_view line, Field const& expected) {
  auto const field = parse_field_line(line);
  ASSERT_TRUE(field) << line << ": " << field.error().what;
  EXPECT_EQ(*field, expected) << line;
}

void bad(std::string_view line) { EXPECT_FALSE(parse_field_line(line)) << line; }

TEST(FieldLines, TakesAFieldLineApart) {
  ok("Host: a.example", {"Host", "a.example"});
  ok("Host:a.example", {"Host", "a.example"});
  ok("X: \t b c \t", {"X", "b c"});
  ok("X:", {"X", ""});
  ok("X: a:b", {"X", "a:b"});
  ok("X: caf\xc3\xa9", {"X", "caf\xc3\xa9"});
}

TEST(FieldLines, RefusesFieldLinesThatTwoParsersCouldReadInTwoWays) {
  bad("");
  bad("Host");
  bad(": a");
  bad("Host : a");
  bad("Host\t: a");
  bad(" Host: a");
  bad("\tfolded");
  bad("Ho st: a");
  bad("Host\0: a"s);
  bad("Host: a\0b"s);
  bad("Host: a\rb");
  bad("Host: a\r");
  bad("Host: a\x7f");
  bad("Host: a\x1b[31m");
  bad("H\xc3\xb6st: a");
}

TEST(FieldLines, LooksFieldsUpWithoutCase) {
  std::vector<Field> const fields = {{"Host", "a"}, {"accept", "1"}, {"Accept", "2"}};
  EXPECT_EQ(find_field(fields, "HOST"), "a");
  EXPECT_EQ(find_field(fields, "accept"), "1");
  EXPECT_EQ(count_fields(fields, "ACCEPT"), 2U);
  EXPECT_FALSE(find_field(fields, "x"));
}

TEST(FieldLines, ReadsConnectionOptions) {
  std::vector<Field> const fields = {{"Connection", "Keep-Alive, X-Secret"}, {"connection", "upgrade"}, {"X", "close"}};
  EXPECT_TRUE(has_connection_option(fields, "x-secret"));
  EXPECT_TRUE(has_connection_option(fields, "Upgrade"));
  EXPECT_FALSE(has_connection_option(fields, "close"));
  EXPECT_TRUE(wants_keep_alive(fields, 0));
  EXPECT_TRUE(wants_keep_alive({}, 1));
  EXPECT_FALSE(wants_keep_alive({}, 0));
  EXPECT_FALSE(wants_keep_alive({{"Connection", "keep-alive, CLOSE"}}, 1));
}

TEST(FieldLines, RefusesConnectionFieldsThatAreNoShortListOfTokens) {
  EXPECT_TRUE(parse_field_lines("Connection: close, x\r\n"));
  EXPECT_FALSE(parse_field_lines("Connection: \"close\"\r\n"));
  EXPECT_FALSE(parse_field_lines("Connection: clo se\r\n"));
  std::string many = "Connection: a";
  for (std::size_t i = 0; i < limits::kMaxHeaderFields; ++i) many += ",a";
  EXPECT_FALSE(parse_field_lines(many + "\r\n"));
}

}  // namespace
}  // namespace sallyport::proxy
