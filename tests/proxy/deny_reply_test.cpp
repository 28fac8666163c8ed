#include "proxy/deny_reply.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;
using policies::Verdict;

Verdict no_rule() {
  Verdict verdict;
  verdict.hint = "Do not retry. Add a rule for evil.example to allow it.";
  return verdict;
}

std::string body_of(std::string const& reply) { return reply.substr(reply.find("\r\n\r\n") + 4); }

boost::json::object json_of(std::string const& reply) { return boost::json::parse(body_of(reply)).as_object(); }

bool is_json(std::string_view accept) {
  return deny_reply(403, no_rule(), "a.example", "GET", accept).find("Content-Type: application/json\r\n") !=
         std::string::npos;
}

TEST(DenyReply, IsOneShape) {
  EXPECT_EQ(deny_reply(403, no_rule(), "evil.example", "GET", "*/*"),
            "HTTP/1.1 403 Forbidden\r\n"
            "Sallyport-Reason: no_rule\r\n"
            "Content-Type: application/json\r\n"
            "Content-Length: 148\r\n"
            "Cache-Control: no-store\r\n"
            "Connection: close\r\n"
            "\r\n"
            R"({"error":"egress_denied","reason":"no_rule","host":"evil.example","rule":"default",)"
            R"("hint":"Do not retry. Add a rule for evil.example to allow it."})"
            "\n");
}

TEST(DenyReply, IsPlainTextForAClientThatDoesNotTakeJson) {
  EXPECT_EQ(deny_reply(403, no_rule(), "evil.example", "GET", "text/html"),
            "HTTP/1.1 403 Forbidden\r\n"
            "Sallyport-Reason: no_rule\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Length: 124\r\n"
            "Cache-Control: no-store\r\n"
            "Connection: close\r\n"
            "\r\n"
            "egress_denied\n"
            "reason: no_rule\n"
            "host: evil.example\n"
            "rule: default\n"
            "hint: Do not retry. Add a rule for evil.example to allow it.\n");
}

TEST(DenyReply, ReadsTheAcceptField) {
  EXPECT_TRUE(is_json(""));
  EXPECT_TRUE(is_json("*/*"));
  EXPECT_TRUE(is_json("application/json"));
  EXPECT_TRUE(is_json("Application/JSON;charset=utf-8"));
  EXPECT_TRUE(is_json("application/*"));
  EXPECT_TRUE(is_json("text/html, application/xml;q=0.9, */*;q=0.8"));
  EXPECT_TRUE(is_json("application/json; q=0.1"));
  EXPECT_TRUE(is_json("*/*;q=0, application/json"));
  EXPECT_FALSE(is_json("text/html"));
  EXPECT_FALSE(is_json("application/xml, text/*"));
  EXPECT_FALSE(is_json("application/json;q=0"));
  EXPECT_FALSE(is_json("application/json; Q=0.000, */*"));
  EXPECT_FALSE(is_json("*/*;q=0"));
  EXPECT_FALSE(is_json("application/jsonx"));
}

TEST(DenyReply, SurvivesHostileAcceptFields) {
  EXPECT_FALSE(is_json(";;;,;q=;,/,\"application/json\""));
  EXPECT_FALSE(is_json(std::string(64 * 1024, ';')));
  EXPECT_FALSE(is_json("application/json;q="));
  EXPECT_TRUE(
      is_json(",,,"
              "*/*"));
}

TEST(DenyReply, HeadGetsTheHeadOnly) {
  auto const reply = deny_reply(403, no_rule(), "evil.example", "HEAD", "");
  EXPECT_TRUE(reply.ends_with("Connection: close\r\n\r\n"));
  EXPECT_NE(reply.find("Content-Length: 148\r\n"), std::string::npos);
}

TEST(DenyReply, EscapesAHostileHost) {
  auto const hostile = "a\r\nSet-Cookie: x\"\\</script>\0\x1b[31m\xff\xe2\x80\xae"s;
  auto const json = deny_reply(400, no_rule(), hostile, "GET", "");
  EXPECT_EQ(json.find("\r\nSet-Cookie"), std::string::npos);
  EXPECT_EQ(json_of(json).at("host").as_string(), "a??Set-Cookie: x\"\\</script>??[31m????");
  auto const text = deny_reply(400, no_rule(), hostile, "GET", "text/plain");
  EXPECT_NE(text.find("\nhost: a??Set-Cookie: x\"\\</script>??[31m????\n"), std::string::npos);
  EXPECT_EQ(json_of(deny_reply(400, no_rule(), std::string(10'000, 'x'), "GET", "")).at("host").as_string().size(), 253U);
}

TEST(DenyReply, QuotesInRuleNamesStayJson) {
  Verdict verdict;
  verdict.rule = "say \"no\"\n";
  EXPECT_EQ(json_of(deny_reply(403, verdict, "a", "GET", "")).at("rule").as_string(), "say \"no\"\n");
}

TEST(DenyReply, TellsNotToRetryWhereTheVerdictHasNoHint) {
  for (int const status : {400, 403, 408, 414, 431, 502, 504}) {
    auto const reply = deny_reply(status, Verdict{}, "a", "GET", "");
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 " + std::to_string(status) + ' ')) << reply;
    EXPECT_TRUE(std::string_view(json_of(reply).at("hint").as_string()).starts_with("Do not retry")) << reply;
  }
}

TEST(DenyReplyDeathTest, WillNotSplitAHeaderOrInventAStatus) {
  Verdict verdict;
  verdict.reason = "no_rule\r\nX: y";
  EXPECT_DEATH(deny_reply(403, verdict, "a", "GET", ""), "reason code");
  EXPECT_DEATH(deny_reply(200, Verdict{}, "a", "GET", ""), "status");
}

TEST(TlsAlert, IsOneFatalRecord) {
  EXPECT_EQ(tls_alert(TlsAlert::access_denied), "\x15\x03\x03\x00\x02\x02\x31"s);
  EXPECT_EQ(tls_alert(TlsAlert::unrecognized_name), "\x15\x03\x03\x00\x02\x02\x70"s);
}

}  // namespace
}  // namespace sallyport::proxy
