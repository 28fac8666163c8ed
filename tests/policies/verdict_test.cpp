#include "policies/verdict.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

TEST(Verdict, DeniesByDefault) {
  Verdict const verdict;
  EXPECT_EQ(verdict.action, Action::deny);
  EXPECT_EQ(verdict.rule, "default");
  EXPECT_EQ(verdict.reason, "no_rule");
}

TEST(Action, HasTheWordsOfPolicyFiles) {
  EXPECT_EQ(to_string(Action::deny), "deny");
  EXPECT_EQ(to_string(Action::allow), "allow");
  EXPECT_EQ(to_string(Action::ask), "ask");
}

}  // namespace
}  // namespace sallyport::policies
