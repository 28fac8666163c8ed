#include "cli/audit_summary.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

TEST(AuditSummary, CountsInWords) {
  audit::Tally tally;
  EXPECT_EQ(summary_line(tally), "0 requests allowed, 0 refused, 0 commands");
  tally.requests_allowed = 1;
  tally.requests_denied = 2;
  tally.names_denied = 3;
  tally.commands = 5;
  tally.commands_denied = 1;
  EXPECT_EQ(summary_line(tally), "1 request allowed, 2 refused, 3 names refused, 5 commands, 1 of them refused");
}

TEST(AuditSummary, SaysNothingWhenNothingWasRefused) { EXPECT_FALSE(refusal_line({}, "/log")); }

TEST(AuditSummary, NamesTheFirstRefusalAndWhereTheRestIs) {
  audit::Tally tally;
  tally.add({"egress.request", "verdict", "deny", "a.example", "no_rule"});
  EXPECT_EQ(refusal_line(tally, "/log"),
            "refused 1 time, first a.example (no_rule); see: sallyport audit show --denied /log");
  tally.add({"dns.query", "", "deny", "b.example", "no_rule"});
  EXPECT_EQ(refusal_line(tally, "/log"),
            "refused 2 times, first a.example (no_rule); see: sallyport audit show --denied /log");
}

TEST(AuditSummary, IsSafeToPrint) {
  audit::Tally tally;
  tally.add({"egress.request", "verdict", "deny", "\x1b[2J", ""});
  EXPECT_EQ(refusal_line(tally, "/log"),
            "refused 1 time, first \\u001b[2J; see: sallyport audit show --denied /log");
}

}  // namespace
}  // namespace sallyport::cli
