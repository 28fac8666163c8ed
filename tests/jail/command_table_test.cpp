#include "jail/command_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::jail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Processes: 10 is the child of 5, 11 of 10, 12 of 11; nobody knows the parent of 5.
std::optional<pid_t> parent_of(pid_t pid) {
  return pid > 10 ? std::optional(pid - 1) : pid == 10 ? std::optional(5) : std::nullopt;
}

TEST(CommandTable, ChainsRunFromTheOutermostCommandToTheProcess) {
  CommandTable table(parent_of);
  table.executed(10, 1);
  table.executed(12, 2);
  EXPECT_THAT(table.chain_of(12), ElementsAre(1, 2));
  EXPECT_THAT(table.chain_of(11), ElementsAre(1));  // forked and executed nothing
  EXPECT_EQ(table.last_of(12), 2U);
}

TEST(CommandTable, ASecondExecOfAProcessFollowsFromItsFirst) {
  CommandTable table(parent_of);
  table.executed(10, 1);
  table.executed(10, 4);
  EXPECT_THAT(table.chain_of(10), ElementsAre(1, 4));
}

TEST(CommandTable, ChildrenKeepTheChainOfAParentThatEnded) {
  CommandTable table(parent_of);
  table.executed(10, 1);
  table.executed(11, 2);
  table.ended(10);
  EXPECT_THAT(table.chain_of(11), ElementsAre(1, 2));
  EXPECT_THAT(table.chain_of(10), IsEmpty());
}

TEST(CommandTable, AForkGoesOnWithTheChainOfItsParent) {
  CommandTable table([](pid_t) { return std::optional<pid_t>{}; });
  table.executed(10, 1);
  table.forked(10, 20);
  table.forked(7, 30);
  table.ended(10);
  table.executed(20, 2);
  EXPECT_THAT(table.chain_of(20), ElementsAre(1, 2));
  EXPECT_THAT(table.chain_of(30), IsEmpty());
}

TEST(CommandTable, AStrangerHasNoChain) {
  CommandTable table(parent_of);
  table.executed(10, 1);
  EXPECT_THAT(table.chain_of(5), IsEmpty());
  EXPECT_FALSE(table.last_of(5));
}

TEST(CommandTable, EndsWhenParentsLeadInACircle) {
  CommandTable table([](pid_t) { return std::optional<pid_t>(7); });
  EXPECT_THAT(table.chain_of(7), IsEmpty());
}

TEST(CommandTable, AnEndlessChainKeepsItsEnds) {
  CommandTable table([](pid_t) { return std::nullopt; });
  for (std::uint64_t seq = 1; seq <= 1000; ++seq) table.executed(10, seq);
  auto const chain = table.chain_of(10);
  EXPECT_LE(chain.size(), 64U);
  EXPECT_EQ(chain.front(), 1U);
  EXPECT_EQ(chain.back(), 1000U);
}

}  // namespace
}  // namespace sallyport::jail
