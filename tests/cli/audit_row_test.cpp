#include "cli/audit_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

AuditRow row(std::string_view json) { return row_of(boost::json::parse(json).as_object()); }

void what(std::string_view json, std::string_view expected) { EXPECT_EQ(row(json).what, expected); }

TEST(AuditRow, ShowsWhoDidWhatAndWhyNot) {
  auto const shown =
      row(R"({"seq":2,"time":"2026-11-27T23:59:59.123456Z","session":"s","type":"egress.request",)"
          R"("phase":"verdict","id":1,"leg":"connect","method":"GET","host":"a.example","port":443,"path":"/x",)"
          R"("verdict":"deny","rule":"default","reason":"no_rule","detail":"no rule names it",)"
          R"("process":{"pid":42,"exe":"/usr/bin/node"}})");
  EXPECT_EQ(shown.time, "23:59:59.123");
  EXPECT_EQ(shown.type, "egress.request");
  EXPECT_EQ(shown.verdict, "deny");
  EXPECT_EQ(shown.process, "node[42]");
  EXPECT_EQ(shown.rule, "default");
  EXPECT_EQ(shown.reason, "no_rule");
  EXPECT_EQ(shown.what, "GET a.example:443/x (no rule names it)");
}

TEST(AuditRow, DescribesEveryType) {
  what(R"({"type":"session.start","policy":"npm","argv":["npm","i"],"degraded":["seccomp"]})",
       "policy npm: npm i (without: seccomp)");
  what(R"({"type":"command.exec","pid":1,"exe":"/bin/sh","argv":["sh","-c","ls -l"]})", "sh -c ls -l");
  what(R"({"type":"command.exec","argv":["sh"],"mismatch":"other exe"})", "sh (not verified: other exe)");
  what(R"({"type":"command.exit","pid":1,"exit_code":0,"duration_us":2500})", "exit code 0, 2 ms");
  what(R"({"type":"command.exit","pid":1,"signal":9,"duration_us":0})", "signal 9, 0 ms");
  what(R"({"type":"dns.query","name":"a.example","qtype":"A","rcode":"NOERROR","answer":"198.18.0.7"})",
       "A a.example 198.18.0.7");
  what(R"({"type":"dns.query","name":"b.example","qtype":"MX","rcode":"NXDOMAIN"})", "MX b.example NXDOMAIN");
  what(R"({"type":"egress.request","phase":"verdict","leg":"transparent","host":"a.example","port":443})",
       "transparent a.example:443");
  what(R"({"type":"egress.request","phase":"end","id":7,"status":200,"bytes_up":1,"bytes_down":2,"duration_us":3000})",
       "end #7 status 200, 1 bytes up, 2 down, 3 ms");
  what(R"({"type":"egress.tunnel","phase":"open","id":7,"address":"192.0.2.7"})", "open #7 to 192.0.2.7");
  what(R"({"type":"egress.tunnel","phase":"close","id":7,"bytes_up":1,"bytes_down":2,"duration_us":0,"error":"idle"})",
       "close #7, 1 bytes up, 2 down, 0 ms: idle");
  what(R"({"type":"limit.hit","limit":"connections","detail":"more than 64"})", "connections more than 64");
  what(R"({"type":"audit.checkpoint","records":255})", "255 records signed");
  what(R"({"type":"session.end","cause":"exited","exit_code":3,"duration_us":1000})", "exited, exit code 3, 1 ms");
  what(R"({"type":"something.new"})", "");
}

TEST(AuditRow, CopesWithMembersOfAnyTypeAndWithNone) {
  what(R"({})", "");
  what(R"({"type":"command.exec","argv":"sh"})", "");
  what(R"({"type":"command.exec","argv":[1,"sh",null]})", "sh");
  what(R"({"type":"limit.hit","limit":{"a":1},"detail":null})", R"({"a":1} null)");
  EXPECT_EQ(row(R"({"process":7})").process, "");
}

// A57: nothing in a record reaches the terminal as a control.
TEST(AuditRow, IsSafeToPrint) {
  auto const hostile = std::string(R"("\u001b[2J\n\u009b1A\u202e\u0000x")");
  auto const shown =
      row("{\"time\":" + hostile + ",\"type\":\"command.exec\",\"verdict\":" + hostile + ",\"rule\":" + hostile +
          ",\"reason\":" + hostile + ",\"exe\":" + hostile + ",\"pid\":" + hostile + ",\"argv\":[" + hostile + "]}");
  auto const line = format_row(shown, Colour::no);
  for (char byte : line) EXPECT_GE(static_cast<unsigned char>(byte), 0x20);
  EXPECT_THAT(line, Not(HasSubstr("\u009b")));
  EXPECT_THAT(line, Not(HasSubstr("\u202e")));
  EXPECT_THAT(line, HasSubstr("\\u001b[2J"));
}

TEST(AuditRow, KeepsItsColumnsWhateverTheLengths) {
  auto const shown = row(R"({"type":")" + std::string(100, 'x') + R"(","rule":"ääääääääääääääääääää"})");
  EXPECT_EQ(shown.type, std::string(15, 'x') + "…");
  auto const at = format_header().find("WHAT");
  auto const line = format_row(row(R"({"type":"limit.hit","limit":"MARK","detail":""})"), Colour::no);
  EXPECT_EQ(line.find("MARK"), at);
}

TEST(AuditRow, BoundsWhatIsVeryLong) {
  auto const shown = row(R"({"type":"command.exec","argv":[")" + std::string(100000, 'x') + R"("]})");
  EXPECT_LT(shown.what.size(), 500U);
  EXPECT_TRUE(shown.what.ends_with("…"));
}

TEST(AuditRow, ColoursTheVerdictOnlyWhenAsked) {
  auto const denied = row(R"({"type":"dns.query","verdict":"deny"})");
  EXPECT_THAT(format_row(denied, Colour::no), Not(HasSubstr("\033")));
  EXPECT_THAT(format_row(denied, Colour::yes), HasSubstr("\033[31mdeny   \033[0m"));
  EXPECT_THAT(format_row(row(R"({"verdict":"allow"})"), Colour::yes), HasSubstr("\033[32mallow"));
  EXPECT_THAT(format_row(row(R"({"type":"limit.hit"})"), Colour::yes), Not(HasSubstr("\033")));
}

TEST(AuditRow, FindingHasTheSeqThatDlpAllowAsksFor) {
  auto const record = boost::json::parse(R"({"seq":31,"time":"2027-01-15T00:00:00.000000Z","session":"s","type":"dlp.finding","id":7,"host":"a.example",)"
                                         R"("detector":"jwt","action":"block","place":"body","offset":12,"length":40,"codings":["base64"]})");
  EXPECT_EQ(row_of(record.as_object()).what, "#7 block jwt in body to a.example, at 12, 40 bytes, coded: base64 (seq 31)");
}

}  // namespace
}  // namespace sallyport::cli
