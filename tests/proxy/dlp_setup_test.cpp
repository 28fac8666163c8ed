#include "proxy/dlp_setup.hpp"

#include "dlp/example.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::tests {
namespace {

using testing::StartsWith;

TEST(DlpSetup, DisabledDetectorsAreNotLookedForUntilAnotherPolicyComes) {
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  policies::DlpPolicy policy;
  policy.disabled = {{"github-pat", {}}};
  proxy::DlpSetup setup(policy, {nullptr, "salt"});
  EXPECT_TRUE(dlp::scan_message(setup.get(), secret).empty());
  setup.replace({});
  EXPECT_EQ(dlp::scan_message(setup.get(), secret).size(), 1U);
}

TEST(DlpSetup, SaysWhetherItHoldsWhatNothingExcuses) {
  for (auto const& [kind, forbidden] : {std::pair(dlp::KnownKind::secret, false), std::pair(dlp::KnownKind::passed, false),
                                        std::pair(dlp::KnownKind::credential, true), std::pair(dlp::KnownKind::canary, true)}) {
    std::vector<dlp::KnownValue> const values{{"NAME", "some-value-0123456789", kind}};
    proxy::DlpSetup const setup({}, {std::make_shared<dlp::KnownValues const>(values, "salt"), "salt"});
    EXPECT_EQ(setup.holds_forbidden(), forbidden);
  }
  EXPECT_FALSE(proxy::DlpSetup({}, {}).holds_forbidden());
}

policies::DetectorImport acme(std::string const& pattern) {
  return {"g.toml", "[[rules]]\nid = \"acme\"\nregex = '''" + pattern + "'''\nkeywords = [\"acme\"]\n[[rules]]\nid = \"b\"\nregex = '''x'''\n",
          {"p.yaml", 2, 5}};
}

TEST(DlpSetup, ImportedRulesAreLookedForUntilAnotherPolicyComes) {
  policies::DlpPolicy policy;
  policy.imports = {acme("acme_[a-z0-9]{12}")};
  policy.allow = {{"a.example.com", "acme", "", {}}};
  ASSERT_TRUE(proxy::check_detectors(policy));
  proxy::DlpSetup setup(policy, {nullptr, "salt"});
  auto const findings = dlp::scan_message(setup.get(), "x=acme_q7x2m9p4k1z8");
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().detector, "acme");
  setup.replace({});
  for (auto const& finding : dlp::scan_message(setup.get(), "x=acme_q7x2m9p4k1z8")) EXPECT_NE(finding.detector, "acme");
  EXPECT_THAT(proxy::import_notes(policy), testing::ElementsAre(testing::HasSubstr("without a keyword")));
}

TEST(DlpSetup, ImportThatIsNoConfigurationIsAnErrorWithItsPlace) {
  policies::DlpPolicy policy;
  policy.imports = {{"g.toml", "[[rules\n", {"p.yaml", 2, 5}}};
  EXPECT_THAT(proxy::check_detectors(policy).error().what, StartsWith("p.yaml:2:5: "));
  policy.imports = {acme("acme_[a-z0-9]{12}")};
  policy.disabled = {{"acme", {}}};
  EXPECT_TRUE(proxy::check_detectors(policy)) << "an imported detector may be disabled";
}

TEST(DlpSetup, UnknownDetectorIsAnErrorWithItsPlace) {
  policies::DlpPolicy policy;
  policy.disabled = {{"jwt", {}}, {"nonsense", {"p.yaml", 3, 7}}};
  auto const checked = proxy::check_detectors(policy);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, StartsWith("p.yaml:3:7: no detector is called 'nonsense'"));
  policy.disabled = {{"gitub-pat", {"p.yaml", 3, 7}}};
  EXPECT_THAT(proxy::check_detectors(policy).error().what, testing::HasSubstr("did you mean 'github-pat'?"));
  policy.disabled.clear();
  policy.allow = {{"a.example.com", "known-value", "", {}}};
  EXPECT_TRUE(proxy::check_detectors(policy));
}

}  // namespace
}  // namespace sallyport::tests
