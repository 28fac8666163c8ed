#include "policies/yaml_jail.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

JailSection read(std::string const& text, Problems& problems, std::string const& home = "/home/user") {
  return read_jail(parse_yaml("p", text, problems).value(), home, problems);
}

void bad(std::string const& text, std::string_view advice, std::string const& home = "/home/user") {
  Problems problems;
  read(text, problems, home);
  ASSERT_FALSE(problems.empty()) << text;
  EXPECT_NE(problems.front().what.find(advice), std::string::npos) << problems.front().what;
}

TEST(ReadJail, ReadsFilesystemAndEnvironment) {
  Problems problems;
  auto const jail = read(
      "{filesystem: {read: [/opt], write: [~/.cache/], hide: [~/.ssh, /srv/], workspace: ro}, env: {pass: [LANG], set: "
      "{CI: 1, A: ''}}}",
      problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(jail.filesystem.read, std::vector<std::string>{"/opt"});
  EXPECT_EQ(jail.filesystem.write, std::vector<std::string>{"/home/user/.cache"});
  EXPECT_EQ(jail.filesystem.hide, (std::vector<std::string>{"/home/user/.ssh", "/srv"}));
  EXPECT_EQ(jail.filesystem.workspace, Workspace::ro);
  EXPECT_EQ(jail.environment.pass, std::vector<std::string>{"LANG"});
  EXPECT_EQ(jail.environment.set, (std::map<std::string, std::string>{{"CI", "1"}, {"A", ""}}));
}

TEST(ReadJail, RefusesPathsThatWouldNotMeanWhatTheySay) {
  bad("{filesystem: {hide: [secrets]}}", "relative");
  bad("{filesystem: {write: [.]}}", "relative");
  bad("{filesystem: {read: [/a/../b]}}", "'..'");
  bad("{filesystem: {read: [/a/..]}}", "'..'");
  bad("{filesystem: {read: [~other/x]}}", "relative");
  bad("{filesystem: {read: ['']}}", "relative");
  bad("{filesystem: {hide: [~/.ssh]}}", "no home directory", "");
  bad("{filesystem: {read: /opt}}", "must be a list");
}

TEST(ReadJail, RefusesWrongValues) {
  bad("{filesystem: {workspace: overlay}}", "not available in this version");
  bad("{filesystem: {workspace: yes}}", "one of");
  bad("{filesystem: {reed: [/a]}}", "did you mean 'read'?");
  bad("{env: {pass: [1A]}}", "not the name");
  bad("{env: {pass: ['A=B']}}", "not the name");
  bad("{env: {set: {'': x}}}", "not the name");
  bad("{env: {set: [A]}}", "must be a mapping");
  bad("{env: {set: {A: [x]}}}", "single value");
  bad("{env: {set: {A: 1, A: 2}}}", "set twice");
  bad("{limits: {memory: 1GiB}}", "not available in this version");
}

}  // namespace
}  // namespace sallyport::policies
