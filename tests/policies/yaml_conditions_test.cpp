#include "policies/yaml_conditions.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

template <class Read>
std::string problems_in(std::string const& text, Read read) {
  Problems problems;
  auto const root = parse_yaml("p", text, problems);
  if (root) read(*root, problems);
  std::string all;
  for (auto const& problem : problems) all += to_string(problem) + "\n";
  return all;
}

template <class Read>
void bad(std::string const& text, Read read, std::string_view advice) {
  auto const problems = problems_in(text, read);
  EXPECT_NE(problems.find(advice), std::string::npos) << text << " gave\n" << problems;
}

TEST(ReadQuery, TakesOneValueAListOrNull) {
  Problems problems;
  auto const root = parse_yaml("p", "{a: 1, b: [x, 'y*'], c: null, d: ~}", problems);
  EXPECT_EQ(read_query(*root, problems), (std::vector<Condition>{{"a", {"1"}}, {"b", {"x", "y*"}}, {"c", {}}, {"d", {}}}));
  EXPECT_TRUE(problems.empty());
}

TEST(ReadQuery, RefusesWrongShapes) {
  bad("[a]", read_query, "must be a mapping");
  bad("{}", read_query, "must be a mapping");
  bad("{a: []}", read_query, "empty list");
  bad("{a: {b: c}}", read_query, "must be a list");
  bad("{a: 1, a: 2}", read_query, "given twice");
  bad("{a: " + std::string(257, 'x') + "}", read_query, "longer than 256 bytes");
}

TEST(ReadHeaders, NamesAreTokensInLowerCase) {
  Problems problems;
  auto const root = parse_yaml("p", "{Content-Type: text/*}", problems);
  EXPECT_EQ(read_headers(*root, problems), (std::vector<Condition>{{"content-type", {"text/*"}}}));
  bad("{'a b': c}", read_headers, "not the name of a header field");
  bad("{'a:': c}", read_headers, "not the name of a header field");
  bad("{X: 1, x: 2}", read_headers, "p:1:8: 'x' is given twice");
}

TEST(ReadGit, RefusesRepositoriesThatNoPathNames) {
  bad("{access: read}", read_git, "'git' without 'repos'");
  bad("{repos: [/a/b]}", read_git, "write group/project");
  bad("{repos: [a/b.git]}", read_git, "ends in '.git'");
  bad("{repos: ['a/%2e']}", read_git, "holds an escape");
  bad("{repos: ['a/../b']}", read_git, "is no path");
  bad("{repos: [a/b], access: push}", read_git, "one of: read, write");
  bad("{repos: [a/b], acess: read}", read_git, "did you mean 'access'?");
  EXPECT_EQ(problems_in("{repos: ['**']}", read_git), "");
}

}  // namespace
}  // namespace sallyport::policies
