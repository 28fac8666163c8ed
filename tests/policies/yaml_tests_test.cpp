#include "policies/yaml_tests.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void bad(std::string const& text, std::string_view advice) {
  Problems problems;
  auto const root = parse_yaml("p", text, problems);
  ASSERT_TRUE(root) << text;
  read_tests(*root, problems);
  ASSERT_FALSE(problems.empty()) << text;
  EXPECT_NE(problems.front().what.find(advice), std::string::npos) << text << " gave " << problems.front().what;
}

TEST(ReadTests, ReadsEveryKey) {
  Problems problems;
  auto const root = parse_yaml("p",
                               "- {request: GET https://a.example/x, expect: allow, rule: r, headers: {Accept: x}, process: /usr/bin/pip}\n"
                               "- {request: CONNECT a.example:22, expect: deny, reason: port_not_allowed}\n",
                               problems);
  auto const tests = read_tests(*root, problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].method, "GET");
  EXPECT_EQ(tests[0].url, "https://a.example/x");
  EXPECT_EQ(tests[0].expect, Action::allow);
  EXPECT_EQ(tests[0].rule, "r");
  EXPECT_EQ(tests[0].headers.at("Accept"), "x");
  EXPECT_EQ(tests[0].process, "/usr/bin/pip");
  EXPECT_EQ(tests[1].reason, "port_not_allowed");
  EXPECT_EQ(tests[1].place, (Place{"p", 2, 3}));
}

TEST(ReadTests, RefusesWrongShapes) {
  bad("{request: x}", "must be a list");
  bad("[x]", "expected a mapping");
  bad("[{expect: deny}]", "needs 'request'");
  bad("[{request: GET https://x/}]", "needs 'expect'");
  bad("[{request: https://x/, expect: deny}]", "is not a request");
  bad("[{request: 'GET  https://x/', expect: deny}]", "is not a request");
  bad("[{request: GET https://x/, expect: refuse}]", "one of: deny, allow, ask");
  bad("[{request: GET https://x/, expect: deny, headers: [a]}]", "must be a mapping");
}

}  // namespace
}  // namespace sallyport::policies
