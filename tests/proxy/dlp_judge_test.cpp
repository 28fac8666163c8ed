#include "proxy/dlp_judge.hpp"

#include "policies/engine.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::tests {
namespace {

using policies::DlpAction;
using proxy::DlpJudge;
using proxy::DlpRules;
using proxy::FindingSource;
using proxy::Spread;
using testing::HasSubstr;

policies::AllowedTarget permit() {
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policies::Rule rule;
  rule.name = "web";
  rule.hosts = {"api.example.com"};
  rule.ports = {443};
  rule.action = policies::Action::allow;
  policy->rules.push_back(std::make_shared<policies::Rule const>(rule));
  policies::Engine const engine(policy);
  auto const host = policies::CanonicalHost::from("api.example.com").value();
  return engine.decide({host, 443, policies::Scheme::https, "GET", policies::CanonicalPath::from("/").value()}).value();
}

dlp::Finding finding(std::string detector, unsigned char value, std::uint64_t offset = 10) {
  dlp::Finding made{.detector = std::move(detector)};
  made.offset = offset;
  made.length = 20;
  made.digest[0] = value;
  return made;
}

struct Bench {
  asio::io_context io;
  FakeAudit audit{io};
  std::shared_ptr<DlpRules const> rules = std::make_shared<DlpRules const>(policies::DlpPolicy(), "2027-01-01");
  policies::AllowedTarget target = permit();

  DlpJudge judge(DlpAction wanted) { return DlpJudge(rules, wanted, {5, target}, audit); }
  std::vector<audit::DlpFinding> records(std::size_t count) { return audit.wait_for<audit::DlpFinding>(count); }
};

FindingSource const kBody{"body", {dlp::Place::body, Spread::whole}, 0};
FindingSource const kPieces{"body", {dlp::Place::body, Spread::in_pieces}, 0};

TEST(DlpJudge, FirstThatForbidsIsTheRefusalAndNamesRuleAndDetector) {
  Bench bench;
  auto judge = bench.judge(DlpAction::block);
  judge.take({finding("one", 1), finding("two", 2)}, kBody);
  ASSERT_TRUE(judge.refusal());
  EXPECT_EQ(judge.refusal()->status, 403);
  EXPECT_EQ(judge.refusal()->verdict.rule, "web");
  EXPECT_THAT(judge.refusal()->verdict.hint, HasSubstr("a secret (one)"));
  auto const records = bench.records(2);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].detector, "two");
  EXPECT_EQ(records[0].id, 5U);
}

TEST(DlpJudge, ValueIsRecordedOnce) {
  Bench bench;
  auto judge = bench.judge(DlpAction::alert);
  judge.take({finding("one", 1), finding("one", 1, 50)}, kBody);
  judge.take({finding("one", 1, 90)}, kPieces);
  EXPECT_FALSE(judge.refusal());
  EXPECT_EQ(bench.records(1).size(), 1U);
}

TEST(DlpJudge, EveryPlaceIsRedactedAndNothingThatMayHaveLeft) {
  Bench bench;
  auto judge = bench.judge(DlpAction::redact);
  judge.take({finding("one", 1, 10), finding("one", 1, 50)}, kBody);
  judge.take({finding("one", 1, 90)}, {"body", {dlp::Place::body, Spread::whole}, 100});
  auto const made = judge.take_replacements();
  ASSERT_EQ(made.size(), 3U);
  EXPECT_EQ(made[1].offset, 50U);
  EXPECT_EQ(made[1].text.size(), 20U);
  EXPECT_EQ(made[2].offset, 100U);
  EXPECT_EQ(made[2].text.size(), 10U);
}

TEST(DlpJudge, ValueInOnePieceIsNotRefusedBecauseItsPiecesWouldBe) {
  Bench bench;
  auto judge = bench.judge(DlpAction::redact);
  judge.take({finding("one", 1)}, kBody);
  judge.take({finding("one", 1)}, kPieces);
  EXPECT_FALSE(judge.refusal());
  judge.take({finding("other", 2)}, kPieces);
  EXPECT_TRUE(judge.refusal()) << "what stands in several values cannot be overwritten";
}

TEST(DlpJudge, KnownValueMayGoWhereItsDetectorSaysItMay) {
  Bench bench;
  auto own = finding("vendor-token", 1);
  own.hosts = {"example.com"};
  auto judge = bench.judge(DlpAction::block);
  judge.take({own, finding("known-value", 1)}, kBody);
  EXPECT_FALSE(judge.refusal());
  judge.take({finding("known-value", 2)}, kBody);
  EXPECT_TRUE(judge.refusal());
}

}  // namespace
}  // namespace sallyport::tests
