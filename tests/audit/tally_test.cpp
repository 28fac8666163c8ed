#include "audit/tally.hpp"

#include "tests/audit/sample_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

DnsQuery refused_name() {
  DnsQuery query;
  query.name = "b.example";
  query.verdict = "deny";
  query.reason = "no_rule";
  return query;
}

TEST(Tally, CountsRequestsByVerdictAndEverythingByType) {
  CommandExec refused_command;
  refused_command.verdict = "deny";
  Event const events[] = {sample_start(),          CommandExec{}, refused_command, refused_name(),
                          sample_request("allow"), EgressDone{},  EgressTunnel{},  sample_request("deny")};
  Tally tally;
  for (auto const& event : events) tally.add(facts_of(event));
  EXPECT_EQ(tally.requests_allowed, 1U);
  EXPECT_EQ(tally.requests_denied, 1U);
  EXPECT_EQ(tally.names_denied, 1U);
  EXPECT_EQ(tally.commands, 2U);
  EXPECT_EQ(tally.commands_denied, 1U);
  EXPECT_EQ(tally.denied(), 3U);
  EXPECT_THAT(tally.counts(), ElementsAre(Pair("command.exec", 2), Pair("denied", 3), Pair("dns.query", 1),
                                          Pair("egress.request", 3), Pair("egress.tunnel", 1), Pair("session.start", 1)));
}

TEST(Tally, RemembersTheFirstRefusal) {
  Tally tally;
  EXPECT_FALSE(tally.first_denied);
  tally.add(facts_of(sample_request("allow")));
  EXPECT_FALSE(tally.first_denied);
  tally.add(facts_of(refused_name()));
  tally.add(facts_of(sample_request("deny")));
  EXPECT_EQ(tally.first_denied, (Tally::Denied{"b.example", "no_rule"}));
}

}  // namespace
}  // namespace sallyport::audit
