#include "proxy/dns_responder.hpp"

#include "dlp/base_n.hpp"
#include "dlp/example.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sallyport::proxy {
namespace {

std::shared_ptr<policies::Policy const> policy_for(std::string const& host) {
  auto rule = std::make_shared<policies::Rule>();
  rule->name = "only";
  rule->hosts = {host};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policy->rules = {rule};
  return policy;
}

std::string u16(std::uint16_t value) { return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)}; }

std::string query(std::string name, std::uint16_t qtype, std::uint16_t qclass = 1) {
  std::string wire = u16(7) + u16(0x0100) + u16(1) + u16(0) + u16(0) + u16(0);
  while (!name.empty()) {
    auto const label = name.substr(0, name.find('.'));
    wire += static_cast<char>(label.size()) + label;
    name.erase(0, label.size() + 1);
  }
  return wire + '\0' + u16(qtype) + u16(qclass);
}

struct Fixture {
  explicit Fixture(std::size_t capacity = 10) : names({0xfd}, capacity) {}
  policies::Engine engine{policy_for("*.example.com")};
  SyntheticNames names;
  asio::io_context io;
  tests::FakeAudit audit{io};
  Trails trails;
  DlpInspection inspection{{}, {}, trails, audit};
  NameBudget budget;
  NameGuard guard{engine, inspection, budget, audit};
  DnsResponder responder{engine, names, guard};
};

constexpr std::uint16_t kPtr = 12, kTxt = 16, kHttps = 65;

struct Case {
  std::string name;
  std::uint16_t qtype;
  std::string verdict, rcode, answer;
};

TEST(DnsResponder, AnswersAllowedNamesWithSyntheticAddressesAndNothingElse) {
  Fixture fixture;
  for (auto const& [name, qtype, verdict, rcode, answer] : std::vector<Case>{
           {"a.example.com", dns::kTypeA, "allow", "NOERROR", "198.18.0.1"},
           {"A.Example.COM", dns::kTypeAaaa, "allow", "NOERROR", "fd00::1"},
           {"b.example.com", dns::kTypeA, "allow", "NOERROR", "198.18.0.2"},
           {"a.example.com", kTxt, "allow", "NOERROR", ""},
           {"a.example.com", kHttps, "allow", "NOERROR", ""},
           {"localhost", dns::kTypeA, "allow", "NOERROR", "127.0.0.1"},
           {"x.localhost", dns::kTypeAaaa, "allow", "NOERROR", "::1"},
           {"example.com", dns::kTypeA, "deny", "NXDOMAIN", ""},
           {"c2VjcmV0.evil.example", kTxt, "deny", "NXDOMAIN", ""},
           {"1.0.18.198.in-addr.arpa", kPtr, "deny", "NXDOMAIN", ""},
           {"bad name.example.com", dns::kTypeA, "deny", "NXDOMAIN", ""},
       }) {
    SCOPED_TRACE(name);
    auto const reply = fixture.responder.reply(query(name, qtype));
    ASSERT_TRUE(reply.record);
    EXPECT_EQ(reply.record->verdict, verdict);
    EXPECT_EQ(reply.record->rcode, rcode);
    EXPECT_EQ(reply.record->answer, answer);
    EXPECT_FALSE(reply.bytes.empty());
    EXPECT_FALSE(reply.exhausted);
  }
}

TEST(DnsResponder, NameThatHoldsASecretDoesNotExist) {
  Fixture fixture;
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  auto const coded = dlp::to_base32(secret);
  for (auto const& labels : {secret, secret.substr(0, 18) + "." + secret.substr(18), coded.substr(0, 40) + "." + coded.substr(40)}) {
    auto const reply = fixture.responder.reply(query(labels + ".example.com", dns::kTypeA));
    EXPECT_EQ(reply.record->rcode, "NXDOMAIN") << labels;
    EXPECT_EQ(reply.record->reason, "name_refused") << labels;
    EXPECT_EQ(reply.record->verdict, "deny") << labels;
  }
  auto const found = fixture.audit.wait_for<audit::DlpFinding>(1);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].place, "dns");
  EXPECT_EQ(found[0].host, "example.com");
  EXPECT_EQ(found[0].action, "block");
}

TEST(DnsResponder, OtherClassesAreRefused) {
  Fixture fixture;
  auto const reply = fixture.responder.reply(query("a.example.com", dns::kTypeA, 3));
  EXPECT_EQ(reply.record->rcode, "REFUSED");
  EXPECT_EQ(reply.record->verdict, "deny");
}

TEST(DnsResponder, NoAddressLeftIsAServerFailure) {
  Fixture fixture(1);
  EXPECT_FALSE(fixture.responder.reply(query("a.example.com", dns::kTypeA)).exhausted);
  auto const reply = fixture.responder.reply(query("b.example.com", dns::kTypeA));
  EXPECT_TRUE(reply.exhausted);
  EXPECT_EQ(reply.record->rcode, "SERVFAIL");
}

TEST(DnsResponder, NonsenseIsAnErrorWithoutARecordOrNoAnswerAtAll) {
  Fixture fixture;
  EXPECT_EQ(fixture.responder.reply("short").bytes, "");
  auto const cut = fixture.responder.reply(query("a.example.com", dns::kTypeA).substr(0, 20));
  EXPECT_EQ(cut.bytes.size(), 12U);
  EXPECT_FALSE(cut.record);
}

}  // namespace
}  // namespace sallyport::proxy
