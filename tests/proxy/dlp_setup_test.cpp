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

TEST(DlpSetup, UnknownDetectorIsAnErrorWithItsPlace) {
  policies::DlpPolicy policy;
  policy.disabled = {{"jwt", {}}, {"nonsense", {"p.yaml", 3, 7}}};
  auto const checked = proxy::check_detectors(policy);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, StartsWith("p.yaml:3:7: no detector is called 'nonsense'"));
  policy.disabled.clear();
  policy.allow = {{"a.example.com", "known-value", "", {}}};
  EXPECT_TRUE(proxy::check_detectors(policy));
}

}  // namespace
}  // namespace sallyport::tests
