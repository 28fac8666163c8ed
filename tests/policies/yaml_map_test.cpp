#include "policies/yaml_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Read {
  YamlNode root;
  Problems problems;
};

Read parse(std::string const& text) {
  Read read;
  read.root = parse_yaml("p", text, read.problems).value();
  return read;
}

std::vector<std::string> lines(Problems const& problems) {
  std::vector<std::string> all;
  for (auto const& problem : problems) all.push_back(to_string(problem));
  return all;
}

std::vector<std::string> key_problems(std::string const& text, Section section) {
  auto read = parse(text);
  YamlMap const map(read.root, section, read.problems);
  return lines(read.problems);
}

TEST(YamlMap, AcceptsItsKeys) { EXPECT_THAT(key_problems("hosts: []\nports: []", Section::rule), IsEmpty()); }

TEST(YamlMap, NamesUnknownDuplicateAndLaterKeys) {
  EXPECT_THAT(key_problems("host: x", Section::rule), ElementsAre("p:1:1: unknown key 'host'; did you mean 'hosts'?"));
  EXPECT_THAT(key_problems("zzz: x", Section::environment), ElementsAre("p:1:1: unknown key 'zzz'; known here: pass, set"));
  EXPECT_THAT(key_problems("pass: []\npass: []", Section::environment),
              ElementsAre("p:2:1: key 'pass' is given twice; keep one"));
  EXPECT_THAT(key_problems("limits: {}", Section::jail),
              ElementsAre("p:1:1: 'limits' is not available in this version of Sallyport; remove it"));
  EXPECT_THAT(key_problems("[a]: x", Section::jail), ElementsAre("p:1:1: a key must be a word"));
  EXPECT_THAT(key_problems("[a]", Section::jail), ElementsAre("p:1:1: expected a mapping (key: value), found a list"));
}

TEST(YamlMap, FindsValuesAndPlaces) {
  auto read = parse("pass: [A]");
  YamlMap const map(read.root, Section::environment, read.problems);
  ASSERT_NE(map.find("pass"), nullptr);
  EXPECT_EQ(map.find("set"), nullptr);
  EXPECT_EQ(map.place_of("pass"), (Place{"p", 1, 1}));
}

TEST(ReadList, RefusesOtherThanListsOfScalars) {
  auto const problems_of_list = [](std::string const& text) {
    auto read = parse(text);
    read_list(read.root, "hosts", read.problems);
    return lines(read.problems);
  };
  EXPECT_THAT(problems_of_list("[a, 'b']"), IsEmpty());
  EXPECT_THAT(problems_of_list("a"), ElementsAre("p:1:1: 'hosts' must be a list, found 'a'; write [a]"));
  EXPECT_THAT(problems_of_list("[]"), ElementsAre("p:1:1: 'hosts' is an empty list; list something or remove the key"));
  EXPECT_THAT(problems_of_list("[a, [b]]"), ElementsAre("p:1:5: 'hosts' must be a single value, found a list"));
  EXPECT_THAT(problems_of_list("[a, ]\n"), IsEmpty());
  EXPECT_THAT(problems_of_list("~"), ElementsAre("p:1:1: 'hosts' must be a list, found nothing"));
}

TEST(ReadWord, IsOneOfTheWords) {
  constexpr std::string_view kWords[] = {"rw", "ro"};
  auto good = parse("ro");
  EXPECT_EQ(read_word(good.root, "workspace", kWords, good.problems), 1u);
  auto bad = parse("r");
  EXPECT_EQ(read_word(bad.root, "workspace", kWords, bad.problems), std::nullopt);
  EXPECT_THAT(lines(bad.problems), ElementsAre("p:1:1: 'workspace' cannot be 'r'; it is one of: rw, ro"));
}

}  // namespace
}  // namespace sallyport::policies
