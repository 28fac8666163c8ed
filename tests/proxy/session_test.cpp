#include "proxy/session.hpp"

#include "proxy/dlp_inspection.hpp"
#include "proxy/tls.hpp"
#include "tests/proxy/fake_audit.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

std::shared_ptr<policies::Policy const> policy() {
  auto rule = std::make_shared<policies::Rule>();
  rule->name = "only";
  rule->hosts = {"a.example"};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  auto made = std::make_shared<policies::Policy>();
  made->network = policies::Network::restricted;
  made->rules = {rule};
  return made;
}

class NoResolver final : public Resolver {
 public:
  awaitable<Result<std::vector<policies::IpAddress>>> resolve(policies::AllowedTarget) override {
    co_return Error{Code::closed, 0, "no name server"};
  }
};

/// Throws when the first id is asked for, and keeps all records.
class FirstIdThrows final : public AuditPort {
 public:
  explicit FirstIdThrows(AuditPort& kept) : kept_(kept) {}
  std::uint64_t next_request_id() override {
    if (++asked_ == 1) throw std::runtime_error("a bug");
    return kept_.next_request_id();
  }
  awaitable<Result<void>> record(audit::EgressRequest request) override { return kept_.record(std::move(request)); }
  awaitable<Result<void>> record(audit::DnsQuery query) override { return kept_.record(std::move(query)); }
  void post(audit::Event event) override { kept_.post(std::move(event)); }
  awaitable<proxy::Asker> who_asks(audit::Flow flow) override { return kept_.who_asks(std::move(flow)); }
  awaitable<void> wait_for_room() override { return kept_.wait_for_room(); }

 private:
  AuditPort& kept_;
  int asked_ = 0;
};

/// A session on one end of a connection, and its client on the other.
struct Fixture {
  tests::StreamPair pair;
  tests::FakeAudit audit{pair.io};
  policies::Engine engine{policy()};
  AuditPort* port = &audit;
  NoResolver resolver;
  Dialer dialer;
  SyntheticNames names{{0xfd}};
  ClientTls client_tls{std::nullopt};
  Tls tls{client_tls, {}};
  Trails trails;
  DlpInspection inspection{{}, {}, trails, audit};
  Broker broker{{}};
  RuleBudget budget;
  SplicePipes pipes;
  Timeouts const timeouts;
  LiveRequests live;
  TaskSet streams{pair.io.get_executor(), [](std::exception_ptr) {}};
  std::unique_ptr<CaresChannel> dns = CaresChannel::make(pair.io.get_executor()).value();
  Metrics metrics;
  DnsCache dns_cache{*dns, streams, metrics};
  DnsResolver dns_resolver{HostsFile(), dns_cache};
  UpstreamHop hop{engine, dns_resolver, dialer, tls.upstream, streams};

  /// What a client that sends `bytes` receives. The session has ended.
  std::string answer_to(std::string const& bytes, Door door = Door::explicit_proxy, std::optional<Peer> dialled = {}) {
    std::string received;
    std::thread client([&] {
      tests::send_all(pair.client.get(), bytes);
      tests::shutdown_send(pair.client.get());
      received = tests::receive_to_end(pair.client.get());
    });
    Arrival arrival{Client{std::move(pair.stream), {"tcp", "10.0.0.2", 40000, "127.0.0.1", 8080}}, door, dialled, {}};
    tests::run(pair.io, run_session(std::move(arrival), {engine, resolver, dialer, hop, *port, names, tls, inspection,
                                                         broker, live, streams, budget, pipes, timeouts}));
    client.join();
    return received;
  }
  audit::EgressRequest only_record() {
    auto const records = audit.wait_for<audit::EgressRequest>(0);
    EXPECT_EQ(records.size(), 1U);
    return records.size() == 1 ? records[0] : audit::EgressRequest{};
  }
};

TEST(Session, ClientThatSendsNothingIsNotRecorded) {
  Fixture fixture;
  EXPECT_EQ(fixture.answer_to(""), "");
  EXPECT_TRUE(fixture.audit.wait_for<audit::EgressRequest>(0).empty());
}

struct FirstBytes {
  std::string bytes;
  audit::Leg leg;
  std::string_view reason;
  std::string answer;
};

TEST(Session, FirstBytesChooseTheProtocolOfAnExplicitClient) {
  using namespace std::string_literals;
  for (auto const& [bytes, leg, why, answer] : std::vector<FirstBytes>{
           {"CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n", audit::Leg::connect, reason::kNoRule,
            "HTTP/1.1 403 "},
           {"CONNECT nowhere HTTP/1.1\r\nHost: nowhere\r\n\r\n", audit::Leg::connect, reason::kBadHost, "HTTP/1.1 400 "},
           {"GET http://b.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n", audit::Leg::absolute, reason::kNoRule,
            "HTTP/1.1 403 "},
           {"\5\1\0\5\1\0\3\x09"s + "b.example\1\xbb", audit::Leg::socks5, reason::kNoRule, "\5\0\5\2"s},
           {"\x16\3\1\0\5hello"s, audit::Leg::absolute, reason::kBadRequest, "HTTP/1.1 400 "},
       }) {
    SCOPED_TRACE(bytes);
    Fixture fixture;
    EXPECT_THAT(fixture.answer_to(bytes), testing::StartsWith(answer));
    auto const record = fixture.only_record();
    EXPECT_EQ(record.leg, leg);
    EXPECT_EQ(record.verdict, "deny");
    EXPECT_EQ(record.reason, why);
    EXPECT_EQ(record.flow.local_port, 40000);
  }
}

TEST(Session, CapturedConnectionIsForTheNameBehindItsAddress) {
  Fixture fixture;
  auto const name = policies::CanonicalHost::from("b.example").value();
  auto const address = fixture.names.addresses_of(name).value().v4;
  EXPECT_EQ(fixture.answer_to("", Door::transparent, Peer{address, 443}), "");
  EXPECT_EQ(fixture.only_record().host, "b.example");
  EXPECT_EQ(fixture.only_record().leg, audit::Leg::transparent);
}

TEST(Session, CapturedConnectionToARealAddressIsForThatAddress) {
  Fixture fixture;
  auto const address = policies::IpAddress::parse("8.8.8.8").value();
  EXPECT_EQ(fixture.answer_to("", Door::transparent, Peer{address, 443}), "");
  EXPECT_EQ(fixture.only_record().host, "8.8.8.8");
  EXPECT_EQ(fixture.only_record().reason, reason::kIpLiteral);
}

TEST(Session, ConnectionThatWasNotRedirectedIsRefused) {
  Fixture fixture;
  EXPECT_EQ(fixture.answer_to("", Door::transparent), "");
  EXPECT_EQ(fixture.only_record().reason, reason::kIpLiteral);
}

TEST(Session, ExceptionIsADenialAndAReset) {
  Fixture fixture;
  FirstIdThrows throwing(fixture.audit);
  fixture.port = &throwing;
  EXPECT_EQ(fixture.answer_to("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n"), "");
  auto const record = fixture.only_record();
  EXPECT_EQ(record.verdict, "deny");
  EXPECT_EQ(record.reason, reason::kInternal);
}

}  // namespace
}  // namespace sallyport::proxy
