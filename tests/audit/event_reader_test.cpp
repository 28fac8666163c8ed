#include "audit/event_reader.hpp"

#include "audit/event_writer.hpp"
#include "tests/audit/sample_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace sallyport::audit {
namespace {

using ::testing::HasSubstr;

std::string written(Event const& event) {
  std::string out;
  JsonWriter writer(out, {10000, 10000});
  writer.open('{');
  write_members(writer, event);
  writer.close('}');
  return out;
}

Result<Event> read(std::string_view text) { return read_gateway_event(boost::json::parse(text).as_object()); }

void ok(Event const& event) {
  auto const text = written(event);
  auto const again = read(text);
  ASSERT_TRUE(again) << again.error().what << " in " << text;
  EXPECT_EQ(again->index(), event.index());
  EXPECT_EQ(written(*again), text);
}

void bad(std::string_view text, std::string_view what) {
  auto const event = read(text);
  ASSERT_FALSE(event) << text;
  EXPECT_EQ(event.error().code, Code::invalid);
  EXPECT_THAT(event.error().what, HasSubstr(std::string(what)));
}

TEST(EventReader, ReadsBackEveryFieldOfWhatTheGatewayReports) {
  for (auto const& event : full_gateway_events()) ok(event);
}

TEST(EventReader, ReadsBackEventsWithNothingSet) {
  ok(DnsQuery{});
  ok(EgressRequest{});
  ok(EgressDone{});
  ok(EgressTunnel{});
  ok(DlpFinding{});
  ok(CredentialUse{});
  ok(LimitHit{});
}

TEST(EventReader, RefusesWhatOnlyTheSupervisorMayWrite) {
  bad(written(SessionStart{}), "type");
  bad(written(CommandExec{}), "type");
  bad(written(CommandExit{}), "type");
  bad(written(SessionEnd{}), "type");
  bad(R"({"type":"audit.checkpoint","records":1})", "type");
  bad(R"({})", "type");
  bad(R"({"type":7})", "type");
  bad(R"({"type":"egress.request"})", "type");
  bad(R"({"type":"egress.request","phase":"other"})", "type");
}

TEST(EventReader, RefusesMembersThatAreUnknownMissingOrOutOfOrder) {
  bad(R"({"type":"limit.hit"})", "limit: missing");
  bad(R"({"type":"limit.hit","limit":"a","extra":1})", "extra: unknown");
  bad(R"({"type":"limit.hit","detail":"b","limit":"a"})", "limit: missing or out of order");
  bad(R"({"limit":"a","type":"limit.hit"})", "type");
  bad(R"({"type":"limit.hit","limit":"a","cut":false})", "cut: not true");
  bad(R"({"type":"limit.hit","limit":"a","cut":true,"detail":"b"})", "detail");
}

TEST(EventReader, RefusesValuesOfAnotherTypeOrOutOfRange) {
  bad(R"({"type":"limit.hit","limit":1})", "limit: not a string");
  bad(R"({"type":"limit.hit","limit":null})", "limit: not a string");
  bad(R"({"type":"egress.tunnel","phase":"ajar","id":1})", "phase: not one of its words");
  bad(R"({"type":"egress.tunnel","phase":0,"id":1})", "phase: not one of its words");
  bad(R"({"type":"egress.tunnel","phase":"open","id":-1})", "id: not a number in range");
  bad(R"({"type":"egress.tunnel","phase":"open","id":1.5})", "id: not a number in range");
  bad(R"({"type":"egress.tunnel","phase":"open","id":"1"})", "id: not a number in range");
  bad(R"({"type":"egress.tunnel","phase":"open","id":18446744073709551616})", "id: not a number in range");
  bad(R"({"type":"egress.request","phase":"verdict","id":1,"leg":"connect","host":"a","port":65536,"verdict":"deny"})",
      "port");
  bad(R"({"type":"egress.request","phase":"verdict","id":1,"leg":"tunnel","host":"a","port":1,"verdict":"deny"})", "leg");
  bad(R"({"type":"dns.query","name":"a","qtype":"A","verdict":"deny","rcode":"NXDOMAIN","flow":[]})",
      "flow: not an object");
  bad(R"({"type":"dns.query","name":"a","qtype":"A","verdict":"deny","rcode":"NXDOMAIN","flow":{"x":1}})",
      "flow: has a member");
  bad(R"({"type":"dns.query","name":"a","qtype":"A","verdict":"deny","rcode":"N","process":{"pid":1,"argv":[1]}})",
      "process");
  bad(R"({"type":"dns.query","name":"a","qtype":"A","verdict":"deny","rcode":"N","process":{"pid":1,"chain":"2"}})",
      "process");
}

}  // namespace
}  // namespace sallyport::audit
