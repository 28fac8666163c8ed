#include "proxy/grpc_inspector.hpp"

#include "dlp/example.hpp"
#include "policies/engine.hpp"
#include "proxy/dlp_setup.hpp"
#include "tests/proxy/fake_audit.hpp"
#include "tests/proxy/grpc_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sallyport::tests {
namespace {

using policies::DlpAction;
using proxy::GrpcInspector;
using testing::HasSubstr;

policies::AllowedTarget permit() {
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policies::Rule rule;
  rule.name = "rpc";
  rule.hosts = {"rpc.example.com"};
  rule.ports = {443};
  rule.action = policies::Action::allow;
  policy->rules.push_back(std::make_shared<policies::Rule const>(rule));
  policies::Engine const engine(policy);
  auto const host = policies::CanonicalHost::from("rpc.example.com").value();
  return engine.decide({host, 443, policies::Scheme::https, "POST", policies::CanonicalPath::from("/s/m").value()}).value();
}

struct Bench {
  explicit Bench(std::string_view coding = {}, DlpAction action = DlpAction::block) {
    auto shared = setup.get();
    if (action == DlpAction::redact) shared.repeats = dlp::Repeats::every;
    inspector = std::make_unique<GrpcInspector>(shared, coding, proxy::DlpJudge(rules, action, {5, target}, audit), target.verdict());
  }
  std::string reason() const { return inspector->refusal() ? inspector->refusal()->verdict.reason : ""; }

  asio::io_context io;
  FakeAudit audit{io};
  policies::DlpPolicy const policy;
  std::shared_ptr<proxy::DlpRules const> rules = std::make_shared<proxy::DlpRules const>(policy, "2027-01-01");
  policies::AllowedTarget target = permit();
  proxy::DlpSetup setup{policy, {}};
  std::string secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  std::unique_ptr<GrpcInspector> inspector;
};

TEST(GrpcInspector, MessageIsClearAsSoonAsItIsWhole) {
  Bench bench;
  auto const first = grpc_message("hello");
  bench.inspector->feed(first.substr(0, 7));
  EXPECT_EQ(bench.inspector->clear_up_to(), 0U) << "held until it is judged";
  bench.inspector->feed(first.substr(7));
  EXPECT_EQ(bench.inspector->clear_up_to(), first.size());
  bench.inspector->feed(grpc_message(""));
  EXPECT_EQ(bench.inspector->clear_up_to(), first.size() + 5);
  bench.inspector->finish({});
  EXPECT_EQ(bench.reason(), "");
}

TEST(GrpcInspector, LargeMessageIsNotHeldWhole) {
  Bench bench;
  std::string const block(1024 * 1024, 'a');
  bench.inspector->feed(grpc_prefix(4 * 1024 * 1024));
  for (int i = 0; i < 3; ++i) bench.inspector->feed(block);
  EXPECT_GT(bench.inspector->clear_up_to(), 2U * 1024 * 1024);
}

TEST(GrpcInspector, SecretInAMessageIsRefusedAndItsMessageIsHeld) {
  Bench bench;
  bench.inspector->feed(grpc_message("hello"));
  bench.inspector->feed(grpc_message("\x0a\x28" + bench.secret));
  EXPECT_EQ(bench.reason(), "secret_found");
  EXPECT_EQ(bench.inspector->clear_up_to(), 10U);
  auto const found = bench.audit.wait_for<audit::DlpFinding>(1);
  EXPECT_EQ(found.at(0).offset, 10U + 5 + 2);
  EXPECT_EQ(found.at(0).place, "body");
}

TEST(GrpcInspector, SecretCutOverManyMessagesNeverBecomesWhole) {
  for (std::string const coding : {"", "gzip"}) {
    Bench bench(coding);
    std::string passed;
    for (char const c : bench.secret + " ") {
      auto const message = coding.empty() ? grpc_message(std::string(1, c)) : grpc_message(packed(std::string(1, c), Packed::gzip), 1);
      bench.inspector->feed(message);
      if (bench.inspector->refusal()) break;
      passed += c;
    }
    EXPECT_EQ(bench.reason(), "secret_found");
    EXPECT_LT(passed.size(), bench.secret.size());
  }
}

TEST(GrpcInspector, CompressedMessagesAreUndone) {
  for (auto const& [coding, format] : {std::pair{"gzip", Packed::gzip}, std::pair{"deflate", Packed::zlib}}) {
    Bench clean(coding);
    clean.inspector->feed(grpc_message(packed("hello", format), 1));
    clean.inspector->finish({});
    EXPECT_EQ(clean.reason(), "");
    Bench dirty(coding);
    dirty.inspector->feed(grpc_message(packed("k=" + dirty.secret, format), 1));
    EXPECT_EQ(dirty.reason(), "secret_found");
    EXPECT_EQ(dirty.inspector->clear_up_to(), 0U);
  }
}

TEST(GrpcInspector, WhatCannotBeReadIsRefused) {
  Bench unknown("snappy");
  unknown.inspector->feed(grpc_message("sNaPpY", 1));
  EXPECT_EQ(unknown.reason(), "unreadable_body");
  Bench undeclared;
  undeclared.inspector->feed(grpc_message(packed("hello", Packed::gzip), 1));
  EXPECT_EQ(undeclared.reason(), "unreadable_body");
  Bench lying("gzip");
  lying.inspector->feed(grpc_message("plain", 1));
  EXPECT_EQ(lying.reason(), "unreadable_body");
  Bench bomb("gzip");
  bomb.inspector->feed(grpc_message(packed(std::string(64 * 1024 * 1024, '\0'), Packed::gzip), 1));
  EXPECT_EQ(bomb.reason(), "unreadable_body");
  Bench other;
  other.inspector->feed("{\"no\": \"gRPC\"}");
  EXPECT_EQ(other.reason(), "unreadable_body");
  EXPECT_THAT(other.inspector->refusal()->verdict.hint, HasSubstr("declared as gRPC"));
  Bench cut;
  cut.inspector->feed(grpc_prefix(10) + "half");
  cut.inspector->finish({});
  EXPECT_EQ(cut.reason(), "unreadable_body");
}

TEST(GrpcInspector, RedactedSecretDoesNotForbidTheMessagesBehindIt) {
  Bench bench("gzip", DlpAction::redact);
  bench.inspector->feed(grpc_message("k=" + bench.secret));
  bench.inspector->feed(grpc_message("next"));
  bench.inspector->feed(grpc_message(packed("next", Packed::gzip), 1));
  bench.inspector->finish({});
  EXPECT_EQ(bench.reason(), "");
  EXPECT_EQ(bench.inspector->take_replacements().size(), 1U);
}

TEST(GrpcInspector, RedactedMessageIsAsLong) {
  Bench bench({}, DlpAction::redact);
  bench.inspector->feed(grpc_message("first"));
  bench.inspector->feed(grpc_message("k=" + bench.secret));
  EXPECT_EQ(bench.reason(), "");
  auto const replaced = bench.inspector->take_replacements();
  ASSERT_EQ(replaced.size(), 1U);
  EXPECT_EQ(replaced[0].offset, 10U + 5 + 2);
  EXPECT_EQ(replaced[0].text.size(), bench.secret.size());
}

}  // namespace
}  // namespace sallyport::tests
