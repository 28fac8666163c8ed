#include "policies/explain.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

TEST(Explain, AnAllowNamesItsRuleAndPlace) {
  Verdict const verdict{Action::allow, "r", "allowed", "", "p.yaml", 7};
  EXPECT_EQ(explain_line(verdict), "allow by rule r (p.yaml:7)");
  EXPECT_EQ(explain_json(verdict), R"({"verdict":"allow","rule":"r","reason":"allowed","file":"p.yaml","line":7})");
}

TEST(Explain, ADenyGivesItsReasonAndHint) {
  Verdict const verdict{Action::deny, "default", "no_rule", "Do not retry.", "", 0};
  EXPECT_EQ(explain_line(verdict), "deny by default: no_rule. Do not retry.");
  EXPECT_EQ(explain_json(verdict), R"({"verdict":"deny","rule":"default","reason":"no_rule","file":"","line":0})");
}

}  // namespace
}  // namespace sallyport::policies
