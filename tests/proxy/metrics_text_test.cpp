#include "proxy/metrics_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using testing::HasSubstr;

TEST(MetricsText, HasEveryFamilyWithItsTypeAndEscapesLabels) {
  Metrics metrics;
  audit::EgressRequest request;
  request.verdict = "deny";
  request.rule = "a \"b\"\\\n";
  request.reason = "no_rule";
  request.host = "secret.example";
  metrics.count(request);
  metrics.count_lookup(Lookup::failed);
  metrics.audit_written(std::chrono::microseconds(700));
  ClientGate gate({std::vector<policies::Cidr>{}, 10, 10});
  auto const ticket = gate.admit("127.0.0.1", std::nullopt);
  EXPECT_FALSE(gate.admit("10.0.0.1", policies::IpAddress::parse("10.0.0.1").value()));
  auto const text = metrics_text(metrics.numbers(), gate.counts());
  EXPECT_THAT(text, HasSubstr("# TYPE sallyport_verdicts_total counter\n"));
  EXPECT_THAT(text,
              HasSubstr(R"(sallyport_verdicts_total{leg="connect",verdict="deny",rule="a \"b\"\\\n",reason="no_rule"} 1)"));
  EXPECT_THAT(text, HasSubstr("sallyport_name_lookups_total{result=\"kept\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_name_lookups_total{result=\"failed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_connections 1\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_connections_turned_away_total{limit=\"client_not_allowed\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_audit_lag_seconds_bucket{le=\"0.0005\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_audit_lag_seconds_bucket{le=\"0.001\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sallyport_audit_lag_seconds_count 1\n"));
  EXPECT_EQ(text.find("secret.example"), std::string::npos) << "what a client chooses is no label";
}

}  // namespace
}  // namespace sallyport::proxy
