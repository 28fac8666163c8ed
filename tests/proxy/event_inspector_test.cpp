#include "proxy/event_inspector.hpp"

#include "dlp/example.hpp"
#include "policies/engine.hpp"
#include "proxy/dlp_setup.hpp"
#include "tests/policies/load_text.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

struct EventBench {
  std::string reason() const { return inspector.refusal() ? inspector.refusal()->verdict.reason : ""; }

  asio::io_context io;
  FakeAudit audit{io};
  policies::DlpPolicy const policy;
  policies::Engine engine{policies::policy_of({"{name: r, hosts: [a.example]}"})};
  policies::AllowedTarget target =
      engine.decide({policies::host_of("a.example"), 443, policies::Scheme::https, "GET", policies::CanonicalPath::from("/").value()}).value();
  proxy::InspectedMessage const message{5, target, {}, proxy::Direction::response};
  proxy::DlpSetup setup{policy, {}};
  proxy::EventInspector inspector{
      setup.get(), proxy::DlpJudge(std::make_shared<proxy::DlpRules const>(policy, "2027-01-01"), policies::DlpAction::block, message, audit)};
  std::string const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
};

TEST(EventInspector, AnEventIsClearWhenItIsWhole) {
  EventBench bench;
  bench.inspector.feed("data: he");
  EXPECT_EQ(bench.inspector.clear_up_to(), 0U);
  bench.inspector.feed("llo\n\ndata: next");
  EXPECT_EQ(bench.inspector.clear_up_to(), 13U);
  bench.inspector.finish({});
  EXPECT_EQ(bench.inspector.clear_up_to(), 23U);
  EXPECT_EQ(bench.reason(), "");
}

TEST(EventInspector, AnEventWithASecretIsHeldAndFoundWhereItStands) {
  EventBench bench;
  bench.inspector.feed("data: hello\n\ndata: " + bench.secret + "\n\n");
  EXPECT_EQ(bench.reason(), "secret_found");
  EXPECT_EQ(bench.inspector.clear_up_to(), 13U);
  auto const found = bench.audit.wait_for<audit::DlpFinding>(1);
  EXPECT_EQ(found.at(0).offset, 19U);
  EXPECT_EQ(found.at(0).place, "response body");
}

TEST(EventInspector, ASecretCutOverEventsNeverBecomesWhole) {
  EventBench bench;
  bench.inspector.feed("data: " + bench.secret.substr(0, 20) + "\n\n");
  auto const first = bench.inspector.clear_up_to();
  bench.inspector.feed("data: " + bench.secret.substr(20) + "\n\n");
  EXPECT_EQ(bench.reason(), "secret_found");
  EXPECT_EQ(bench.inspector.clear_up_to(), first);
}

TEST(EventInspector, AnEventWithoutEndIsNotHeldWhole) {
  EventBench bench;
  std::string const block(1024 * 1024, 'a');
  for (int i = 0; i < 3; ++i) bench.inspector.feed(block);
  EXPECT_GT(bench.inspector.clear_up_to(), 2U * 1024 * 1024);
}

}  // namespace
}  // namespace sallyport::tests
