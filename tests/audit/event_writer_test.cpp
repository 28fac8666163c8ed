#include "audit/event_writer.hpp"

#include "tests/audit/sample_log.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

std::string members(Event const& event, TextLimits limits = {1000, 1000}) {
  std::string out;
  JsonWriter writer(out, limits);
  writer.open('{');
  write_members(writer, event);
  writer.close('}');
  return out;
}

TEST(EventWriter, WritesTheFieldsOfARequestInFixedOrder) {
  EXPECT_EQ(members(sample_request()),
            R"({"type":"egress.request","phase":"verdict","id":7,"leg":"connect","method":"GET","host":"a.example",)"
            R"("port":443,"path":"/x?y=1","verdict":"allow","rule":"rule-1","reason":"allowed","process":{"pid":42,)"
            R"("exe":"/usr/bin/node","argv":["node","app.js"],"chain":[2,3]}})");
}

TEST(EventWriter, TellsTheKindsOfOneTypeApartByPhase) {
  EXPECT_EQ(members(EgressDone{}),
            R"({"type":"egress.request","phase":"end","id":0,"bytes_up":0,"bytes_down":0,"connect_us":0,"duration_us":0})");
  EXPECT_EQ(members(EgressTunnel{}), R"({"type":"egress.tunnel","phase":"open","id":0})");
  EgressTunnel closed;
  closed.phase = EgressTunnel::Phase::close;
  EXPECT_EQ(members(closed), R"({"type":"egress.tunnel","phase":"close","id":0})");
}

TEST(EventWriter, LeavesOutWhatIsEmptyButNeverAVerdictOrAZeroExitCode) {
  EXPECT_EQ(members(CommandExec{}),
            R"({"type":"command.exec","pid":0,"ppid":0,"exe":"","argv":[],"uid":0,"verdict":"allow","verified":false})");
  CommandExit exit;
  exit.exit_code = 0;
  EXPECT_EQ(members(exit), R"({"type":"command.exit","pid":0,"exit_code":0,"duration_us":0})");
  EXPECT_EQ(members(DnsQuery{}), R"({"type":"dns.query","name":"","qtype":"","verdict":"","rcode":""})");
}

TEST(EventWriter, WritesTheSession) {
  SessionEnd end;
  end.cause = "exited";
  end.counts = {{"denied", 1}, {"dns.query", 2}};
  EXPECT_EQ(members(end), R"({"type":"session.end","cause":"exited","duration_us":0,"counts":{"denied":1,"dns.query":2}})");
  EXPECT_EQ(members(sample_start()),
            R"({"type":"session.start","version":"0.1.0","key":"","policy":"npm","enforced":["network","seccomp"],)"
            R"("degraded":[],"uid":0,"argv":["npm","install","express"]})");
}

TEST(EventWriter, SaysWhenAValueWasCutHereOrBefore) {
  LimitHit hit{"packet_log", "abcdef", false};
  EXPECT_EQ(members(hit, {4, 1000}), R"({"type":"limi","limit":"pack","detail":"abcd","cut":true})");
  hit.cut = true;
  EXPECT_EQ(members(hit), R"({"type":"limit.hit","limit":"packet_log","detail":"abcdef","cut":true})");
}

// A57: whatever a value holds, it stays inside its own quotation marks.
TEST(EventWriter, NoValueCanForgeAMember) {
  LimitHit hit;
  hit.detail = "x\",\"verdict\":\"allow\"}\n{\"seq\":9";
  EXPECT_EQ(members(hit), R"({"type":"limit.hit","limit":"","detail":"x\",\"verdict\":\"allow\"}\u000a{\"seq\":9"})");
}

TEST(EventWriter, NamesTheTypeOfEveryEvent) {
  EXPECT_EQ(type_of(SessionStart{}), "session.start");
  EXPECT_EQ(type_of(CommandExec{}), "command.exec");
  EXPECT_EQ(type_of(CommandExit{}), "command.exit");
  EXPECT_EQ(type_of(DnsQuery{}), "dns.query");
  EXPECT_EQ(type_of(EgressRequest{}), "egress.request");
  EXPECT_EQ(type_of(EgressDone{}), "egress.request");
  EXPECT_EQ(type_of(EgressTunnel{}), "egress.tunnel");
  EXPECT_EQ(type_of(DlpFinding{}), "dlp.finding");
  EXPECT_EQ(type_of(CredentialUse{}), "credential.use");
  EXPECT_EQ(type_of(LimitHit{}), "limit.hit");
  EXPECT_EQ(type_of(SessionTenant{}), "session.tenant");
  EXPECT_EQ(type_of(PolicyReload{}), "policy.reload");
  EXPECT_EQ(type_of(SessionEnd{}), "session.end");
}

}  // namespace
}  // namespace sallyport::audit
