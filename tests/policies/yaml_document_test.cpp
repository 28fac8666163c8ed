#include "policies/yaml_document.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

std::string refusal(std::string const& text) {
  Problems problems;
  auto const root = parse_yaml("p.yaml", text, problems);
  if (root) return "";
  EXPECT_EQ(problems.size(), 1u);
  return problems.empty() ? "no problem" : to_string(problems.front());
}

YamlNode parsed(std::string const& text) {
  Problems problems;
  auto root = parse_yaml("p.yaml", text, problems);
  for (auto const& problem : problems) ADD_FAILURE() << to_string(problem);
  return root.value_or(YamlNode{});
}

TEST(ParseYaml, KeepsOrderDuplicatesAndPlaces) {
  auto const root = parsed("a: 1\nb: [x, 'y']\na: ~\n");
  ASSERT_EQ(root.fields.size(), 3u);
  EXPECT_EQ(root.fields[2].key.text, "a");
  EXPECT_EQ(root.fields[2].value.kind, YamlNode::Kind::null);
  auto const& list = root.fields[1].value;
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].text, "y");
  EXPECT_EQ(list.items[1].quoting, YamlNode::Quoting::quoted);
  EXPECT_EQ(list.items[1].place, (Place{"p.yaml", 2, 8}));
}

TEST(ParseYaml, AnEmptyFileIsNull) {
  EXPECT_EQ(parsed("").kind, YamlNode::Kind::null);
  EXPECT_EQ(parsed("# only a comment\n").kind, YamlNode::Kind::null);
}

TEST(ParseYaml, RefusesWhatCanGrow) {
  EXPECT_EQ(refusal("a: &x [1]\nb: 2\n"), "p.yaml:1:4: anchors are not used in policy files; write the value out");
  EXPECT_NE(refusal("a: [*x]\n"), "");
  EXPECT_NE(refusal("a: !!binary aGk=\n"), "");
  EXPECT_EQ(refusal("a: !x y\n"), "p.yaml:1:4: tags are not used in policy files; remove it");
  EXPECT_NE(refusal(std::string(100'000, '[')), "");
  EXPECT_NE(refusal(std::string(100, '[') + std::string(100, ']')).find("nested too deeply"), std::string::npos);
  std::string nested;
  for (int i = 0; i < 200; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_NE(refusal(nested).find("nested too deeply"), std::string::npos);
}

TEST(ParseYaml, RefusesBytesThatAreNoText) {
  EXPECT_EQ(refusal(std::string("a: 1\nb: x\0y\n", 12)), "p.yaml:2:5: a control byte; policy files are UTF-8 text");
  EXPECT_EQ(refusal("\x1b[2J"), "p.yaml:1:1: a control byte; policy files are UTF-8 text");
}

TEST(ParseYaml, RefusesFilesAboveTheLimit) {
  EXPECT_EQ(refusal(std::string(limits::kMaxPolicyFileBytes + 1, '#')), "p.yaml: larger than 16 MiB");
}

TEST(ParseYaml, RefusesASecondDocument) {
  EXPECT_EQ(refusal("a: 1\n---\nb: 2\n"), "p.yaml:3:1: a second document; one policy is one document");
}

TEST(ParseYaml, SaysWhereTheYamlIsBroken) {
  EXPECT_EQ(refusal("a: 1\nb: [1, 2\nc: 3\n").substr(0, 10), "p.yaml:3:2");
  EXPECT_NE(refusal("\ta: 1\n").find("not valid YAML"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::policies
