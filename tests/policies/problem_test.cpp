#include "policies/problem.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

TEST(Problem, NamesFileLineAndColumn) {
  EXPECT_EQ(to_string(Problem{{"p.yaml", 3, 7}, "unknown key 'x'"}), "p.yaml:3:7: unknown key 'x'");
}

TEST(Problem, NamesWhatIsKnown) {
  EXPECT_EQ(to_string(Problem{{"p.yaml", 0, 0}, "larger than 16 MiB"}), "p.yaml: larger than 16 MiB");
  EXPECT_EQ(to_string(Problem{{"", 0, 0}, "something"}), "something");
}

}  // namespace
}  // namespace sallyport::policies
