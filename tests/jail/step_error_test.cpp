#include "jail/step_error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sallyport::jail {
namespace {

TEST(StepError, EveryStepHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (std::int32_t i = 0; i < kStepCount; ++i) {
    auto const name = describe(static_cast<Step>(i));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_NE(name, "unknown step") << i;
    EXPECT_TRUE(names.insert(name).second) << name << " is the name of two steps";
  }
}

TEST(StepError, ANumberFromAHostileMessageIsNoStep) {
  EXPECT_EQ(describe(static_cast<Step>(kStepCount)), "unknown step");
  EXPECT_EQ(describe(static_cast<Step>(-1)), "unknown step");
}

TEST(StepError, NamesStandBesideTheirSteps) {
  EXPECT_EQ(describe(Step::die_with_parent), "parent-death signal");
  EXPECT_EQ(describe(Step::net_rules), "packet filter (nf_tables)");
  EXPECT_EQ(describe(Step::seccomp), "seccomp filter");
  EXPECT_EQ(describe(Step::execute), "executing the command");
}

}  // namespace
}  // namespace sallyport::jail
