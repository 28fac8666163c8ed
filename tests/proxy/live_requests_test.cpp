#include "proxy/live_requests.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using policies::policy_of;

policies::Request tls_to(char const* host) {
  return policies::Request{
      policies::CanonicalHost::from(std::string_view(host)).value(), 443, policies::Scheme::tls, {}, std::nullopt};
}

TEST(LiveRequests, EndsOnlyWhatTheNewPolicyDoesNotAllow) {
  LiveRequests live;
  Activity kept, ended;
  LiveRequests::Entry const first(live, tls_to("a.example"), kept);
  LiveRequests::Entry const second(live, tls_to("b.example"), ended);
  policies::Engine const engine(policy_of({"{hosts: [a.example], inspect: sni}"}));
  EXPECT_EQ(live.recheck(engine), 1U);
  EXPECT_EQ(kept.revoked(), "");
  EXPECT_NE(ended.revoked().find("no_rule"), std::string::npos) << ended.revoked();
}

TEST(LiveRequests, EndsATunnelThatWouldHaveToBeReadNow) {
  LiveRequests live;
  Activity activity;
  LiveRequests::Entry const entry(live, tls_to("a.example"), activity);
  policies::Engine const engine(policy_of({"{hosts: [a.example]}"}));
  EXPECT_EQ(live.recheck(engine), 1U);
}

TEST(LiveRequests, EndsWhatIsConnectedToAnAddressThatIsNotAdmittedAnyMore) {
  LiveRequests live;
  Activity activity;
  LiveRequests::Entry entry(live, tls_to("a.example"), activity);
  policies::Engine engine(policy_of({"{hosts: [a.example], inspect: sni, resolve: private}"}));
  entry.reached(policies::IpAddress::parse("10.0.0.1").value());
  EXPECT_EQ(live.recheck(engine), 0U);
  engine.replace(policy_of({"{hosts: [a.example], inspect: sni}"}));
  EXPECT_EQ(live.recheck(engine), 1U);
}

TEST(LiveRequests, WhatHasEndedIsForgotten) {
  LiveRequests live;
  Activity activity;
  { LiveRequests::Entry const entry(live, tls_to("a.example"), activity); }
  EXPECT_EQ(live.size(), 0U);
}

}  // namespace
}  // namespace sallyport::proxy
