#include "policies/yaml_layer.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ReadLayer, ReadsTheWholeDocument) {
  Problems problems;
  auto const layer = read_layer("p.yaml",
                                "version: 1\nname: n\nextends: [npm, ./o.yaml]\nnetwork: restricted\nmode: enforce\n"
                                "egress:\n  - {hosts: [a.example], inspect: sni}\njail: {filesystem: {workspace: ro}}\n",
                                "", problems);
  ASSERT_TRUE(layer);
  EXPECT_EQ(layer->name, "n");
  EXPECT_EQ(layer->extends.size(), 2u);
  EXPECT_EQ(layer->network, Network::restricted);
  EXPECT_EQ(layer->network_place.line, 4);
  EXPECT_EQ(layer->rules.size(), 1u);
  EXPECT_EQ(layer->rules.front().place.line, 7);
  EXPECT_EQ(layer->filesystem.workspace, Workspace::ro);
}

TEST(ReadLayer, AnEmptyEgressIsNoNetwork) {
  EXPECT_EQ(load_text("version: 1\negress: []\n")->network, Network::none);
  EXPECT_EQ(load_text("version: 1\negress:\n")->network, Network::none);
  EXPECT_EQ(load_text("version: 1\n")->network, Network::none);
}

TEST(ReadLayer, NeedsAVersionItKnows) {
  EXPECT_THAT(problems_of(""), ElementsAre("p.yaml:1:1: the file is empty; a policy begins with version: 1"));
  EXPECT_THAT(problems_of("egress: []\n"), ElementsAre(HasSubstr("'version' is missing")));
  EXPECT_THAT(problems_of("version: 2\n"), ElementsAre("p.yaml:1:10: this version of Sallyport reads version: 1 only"));
  EXPECT_THAT(problems_of("[]\n"), ElementsAre(HasSubstr("expected a mapping")));
  EXPECT_THAT(problems_of("allow everything\n"), ElementsAre(HasSubstr("expected a mapping")));
}

TEST(ReadLayer, EveryKeyOfALaterVersionIsAnError) {
  for (std::string key : {"commands", "max", "require"}) {
    EXPECT_THAT(problems_of("version: 1\n" + key + ": {}\n"),
                ElementsAre("p.yaml:2:1: '" + key + "' is not available in this version of Sallyport; remove it"));
  }
  for (std::string key : {"limits", "unix_sockets", "host_ports"}) {
    EXPECT_THAT(problems_of("version: 1\njail: {" + key + ": x}\n"),
                ElementsAre(HasSubstr("not available in this version")));
  }
  EXPECT_THAT(problems_of("version: 1\nmode: monitor\n"), ElementsAre(HasSubstr("not available in this version")));
}

TEST(ReadLayer, ListsSeveralProblemsInTheOrderOfTheFile) {
  EXPECT_THAT(problems_of("version: 1\negres: []\nnetwork: open\negress:\n  - {hosts: [a b]}\njail: {env: {pass: [1]}}\n"),
              ElementsAre(StartsWith("p.yaml:2:1: unknown key 'egres'; did you mean 'egress'?"),
                          StartsWith("p.yaml:3:10: 'network'"), StartsWith("p.yaml:5:14: host 'a b'"),
                          StartsWith("p.yaml:6:21: '1' is not the name")));
}

TEST(ReadLayer, RefusesWrongShapes) {
  EXPECT_THAT(problems_of("version: 1\negress: {}\n"), ElementsAre(HasSubstr("must be a list of rules")));
  EXPECT_THAT(problems_of("version: 1\negress: [x.example]\n"), ElementsAre(HasSubstr("expected a mapping")));
  EXPECT_THAT(problems_of("version: 1\nname: 'a b'\n"), ElementsAre(HasSubstr("policy name 'a b'")));
  EXPECT_THAT(problems_of("version: 1\njail: 1\n"), ElementsAre(HasSubstr("expected a mapping")));
  EXPECT_THAT(problems_of("version: 1\nextends: npm\n"), ElementsAre(HasSubstr("write [npm]")));
}

}  // namespace
}  // namespace sallyport::policies
