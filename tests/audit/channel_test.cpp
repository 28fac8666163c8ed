#include "audit/channel.hpp"

#include "base/limits.hpp"
#include "tests/audit/sample_log.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit::channel {
namespace {

void bad_for_supervisor(std::string_view bytes) {
  auto const message = decode_to_supervisor(bytes);
  ASSERT_FALSE(message) << bytes;
  EXPECT_EQ(message.error().code, Code::invalid);
}
void bad_for_gateway(std::string_view bytes) {
  auto const message = decode_to_gateway(bytes);
  ASSERT_FALSE(message) << bytes;
  EXPECT_EQ(message.error().code, Code::invalid);
}

EgressRequest request_of(ToSupervisor const& message) { return std::get<EgressRequest>(std::get<Record>(message).event); }

TEST(Channel, CarriesEveryRecordUnchanged) {
  std::uint64_t ticket = 18446744073709551615U;
  for (auto const& event : full_gateway_events()) {
    auto const bytes = encode(ToSupervisor(Record{ticket, event}));
    auto const message = decode_to_supervisor(bytes);
    ASSERT_TRUE(message) << message.error().what;
    EXPECT_EQ(std::get<Record>(*message).ticket, ticket);
    EXPECT_EQ(encode(*message), bytes);
    ticket = 0;
  }
}

TEST(Channel, CarriesTheOtherMessages) {
  EXPECT_TRUE(std::holds_alternative<Ready>(*decode_to_supervisor(encode(ToSupervisor(Ready{})))));
  EXPECT_EQ(std::get<Fatal>(*decode_to_supervisor(encode(ToSupervisor(Fatal{"no \"port\""})))).what, "no \"port\"");
  EXPECT_EQ(std::get<Written>(*decode_to_gateway(encode(ToGateway(Written{9})))).ticket, 9U);
  EXPECT_TRUE(std::holds_alternative<Stop>(*decode_to_gateway(encode(ToGateway(Stop{})))));
  EXPECT_TRUE(std::holds_alternative<Drain>(*decode_to_gateway(encode(ToGateway(Drain{})))));
  EXPECT_TRUE(std::holds_alternative<AreYouAlive>(*decode_to_gateway(encode(ToGateway(AreYouAlive{})))));
  EXPECT_TRUE(std::holds_alternative<Alive>(*decode_to_supervisor(encode(ToSupervisor(Alive{})))));
  EXPECT_EQ(std::get<NewPolicy>(*decode_to_gateway(encode(ToGateway(NewPolicy{"ci"})))).tenant, "ci");
  Flow const flow{"tcp", "10.0.0.1", 4000, "fd00::2", 443};
  auto const question = std::get<WhoAsks>(*decode_to_supervisor(encode(ToSupervisor(WhoAsks{7, flow}))));
  EXPECT_EQ(question.ticket, 7U);
  EXPECT_EQ(question.flow, flow);
  auto const asker = std::get<Asker>(*decode_to_gateway(encode(ToGateway(Asker{7, "/usr/bin/python3", "/usr/bin/pip"}))));
  EXPECT_EQ(asker.ticket, 7U);
  EXPECT_EQ(asker.executable, "/usr/bin/python3");
  EXPECT_EQ(asker.script, "/usr/bin/pip");
  EXPECT_EQ(std::get<NewCredential>(*decode_to_gateway(encode(ToGateway(NewCredential{"API_KEY"})))).name, "API_KEY");
  bad_for_supervisor(R"({"kind":"who_asks","ticket":7,"protocol":"tcp","local_address":"a","local_port":65536,"remote_address":"b","remote_port":1})");
  bad_for_gateway(R"({"kind":"asker","ticket":7,"executable":"a","script":1})");
  auto const answer = std::get<PolicyAnswer>(*decode_to_supervisor(encode(ToSupervisor(PolicyAnswer{"sha256:ab", 2, "no"}))));
  EXPECT_EQ(answer.digest, "sha256:ab");
  EXPECT_EQ(answer.closed, 2U);
  EXPECT_EQ(answer.error, "no");
}

TEST(Channel, CarriesHostileTextAsVisibleText) {
  auto request = sample_request();
  request.path = "/\xff\n\u202e\"}";
  auto const message = decode_to_supervisor(encode(ToSupervisor(Record{1, request})));
  ASSERT_TRUE(message);
  EXPECT_EQ(request_of(*message).path, "/\\xff\n\u202e\"}");
}

TEST(Channel, CutsWhatWouldNotFitIntoOneMessageAndSaysSo) {
  auto request = sample_request();
  request.path = std::string(1000000, '\x01');
  request.alpn = std::vector<std::string>(100000, "\x02");
  request.detail = std::string(100000, 'd');
  auto const bytes = encode(ToSupervisor(Record{1, request}));
  EXPECT_LE(bytes.size(), limits::kMaxChannelMessageBytes);
  auto const message = decode_to_supervisor(bytes);
  ASSERT_TRUE(message) << message.error().what;
  EXPECT_TRUE(request_of(*message).cut);
  EXPECT_EQ(request_of(*message).verdict, "allow");
}

TEST(Channel, RefusesWhatIsNotOneMessage) {
  auto const good = encode(ToSupervisor(Ready{}));
  bad_for_supervisor("");
  bad_for_supervisor("{");
  bad_for_supervisor("[]");
  bad_for_supervisor("7");
  bad_for_supervisor("{}");
  bad_for_supervisor(good + good);
  bad_for_supervisor(good + "x");
  bad_for_supervisor(good.substr(0, good.size() - 1));
  bad_for_supervisor("{\"kind\":\"ready\",\"x\":\"\xff\"}");
  bad_for_supervisor(std::string(100000, '['));
  bad_for_supervisor(R"({"kind":"record","ticket":1,"event":{"type":"limit.hit","limit":[[[["x"]]]]}})");
  bad_for_supervisor(good + std::string(limits::kMaxChannelMessageBytes, ' '));
}

TEST(Channel, RefusesKindsAndMembersItDoesNotKnow) {
  bad_for_supervisor(R"({"kind":"other"})");
  bad_for_supervisor(R"({"kind":1})");
  bad_for_supervisor(R"({"kind":"ready","more":1})");
  bad_for_supervisor(R"({"kind":"fatal"})");
  bad_for_supervisor(R"({"kind":"fatal","what":1})");
  bad_for_supervisor(R"({"kind":"record","ticket":1})");
  bad_for_supervisor(R"({"kind":"record","ticket":-1,"event":{"type":"limit.hit","limit":"a"}})");
  bad_for_supervisor(R"({"kind":"record","ticket":"1","event":{"type":"limit.hit","limit":"a"}})");
  bad_for_supervisor(R"({"kind":"record","ticket":1,"event":{"type":"limit.hit","limit":"a"},"more":1})");
  bad_for_supervisor(R"({"kind":"record","ticket":1,"event":[]})");
  bad_for_gateway(R"({"kind":"written"})");
  bad_for_gateway(R"({"kind":"written","ticket":1.0})");
  bad_for_gateway(R"({"kind":"stop","ticket":1})");
}

TEST(Channel, RefusesMessagesOfTheOtherDirection) {
  bad_for_supervisor(encode(ToGateway(Stop{})));
  bad_for_supervisor(encode(ToGateway(Written{1})));
  bad_for_gateway(encode(ToSupervisor(Ready{})));
  bad_for_gateway(encode(ToSupervisor(Fatal{"x"})));
}

TEST(Channel, RefusesEventsThatOnlyTheSupervisorMayWrite) {
  bad_for_supervisor(encode(ToSupervisor(Record{1, SessionStart{}})));
  bad_for_supervisor(encode(ToSupervisor(Record{1, SessionEnd{}})));
  bad_for_supervisor(encode(ToSupervisor(Record{1, CommandExec{}})));
  bad_for_supervisor(encode(ToSupervisor(Record{1, CommandExit{}})));
}

}  // namespace
}  // namespace sallyport::audit::channel
