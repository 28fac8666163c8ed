#include "policies/yaml_credentials.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using Kind = CredentialSpot::Kind;

std::vector<Credential> read(std::string const& text, Problems& problems) {
  auto const root = parse_yaml("p", text, problems);
  return root ? read_credentials(*root, "/home/user", problems) : std::vector<Credential>{};
}

void bad(std::string const& text, std::string_view advice) {
  Problems problems;
  read(text, problems);
  ASSERT_FALSE(problems.empty()) << text;
  EXPECT_NE(problems.front().what.find(advice), std::string::npos) << text << " gave " << problems.front().what;
}

TEST(ReadCredentials, ReadsEverySourceAndSpot) {
  Problems problems;
  auto const all = read(
      "[{name: A_KEY, from: {env: REAL}, hosts: [a.example], header: X-Api-Key, optional: true},"
      " {name: B_KEY, from: {file: ~/.key}, hosts: ['*.b.example'], authorization: 'Bearer {}', basic: true},"
      " {name: C_KEY, from: {command: [/bin/pass, c]}, hosts: [c.example], query: key, body: true}]",
      problems);
  ASSERT_TRUE(problems.empty()) << problems.front().what;
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(std::get<FromEnvironment>(all[0].from).name, "REAL");
  EXPECT_EQ(all[0].spots, (std::vector<CredentialSpot>{{Kind::header, "x-api-key", "{}"}}));
  EXPECT_TRUE(all[0].optional);
  EXPECT_FALSE(all[1].optional);
  EXPECT_EQ(std::get<FromFile>(all[1].from).path, "/home/user/.key");
  EXPECT_EQ(all[1].spots, (std::vector<CredentialSpot>{{Kind::header, "authorization", "Bearer {}"}, {Kind::basic, "authorization", "{}"}}));
  EXPECT_EQ(std::get<FromCommand>(all[2].from).argv, (std::vector<std::string>{"/bin/pass", "c"}));
  EXPECT_EQ(all[2].spots, (std::vector<CredentialSpot>{{Kind::query, "key", "{}"}, {Kind::body, "", "{}"}}));
}

TEST(ReadCredentials, ReadsWhatSignsAndHowOftenACommandIsRunAgain) {
  Problems problems;
  auto const all = read("[{name: A, from: {command: [/bin/pass, c], every: 15m}, hosts: ['*.a.example'], sigv4: true}]", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().what;
  EXPECT_EQ(std::get<FromCommand>(all.at(0).from).every, std::chrono::minutes(15));
  EXPECT_EQ(all[0].spots, (std::vector<CredentialSpot>{{Kind::sigv4, "authorization", "{}"}}));
  bad("[{name: A, from: {command: [/bin/pass], every: 500ms}, hosts: [a.example], header: X}]", "at least 1s");
  bad("[{name: A, from: {command: [/bin/pass], every: soon}, hosts: [a.example], header: X}]", "'soon' is not a duration");
  bad("[{name: A, from: {file: /x, every: 1h}, hosts: [a.example], header: X}]", "'every' is for a command");
  bad("[{name: A, from: {every: 1h}, hosts: [a.example], header: X}]", "names one source");
}

TEST(ReadCredentials, ReadsTheFileThatAPlaceholderStandsIn) {
  Problems problems;
  auto const all = read("[{name: A, from: {env: A}, hosts: [a.example], basic: true, into: {file: ~/.config/a/netrc, text: \"password {}\\n\"}}]", problems);
  ASSERT_TRUE(problems.empty()) << problems.front().what;
  ASSERT_TRUE(all.at(0).into);
  EXPECT_EQ(all[0].into->path, ".config/a/netrc");
  EXPECT_EQ(all[0].into->text, "password {}\n");
}

TEST(ReadCredentials, RefusesAFileThatIsNotBelowTheHome) {
  for (std::string const path : {"/etc/netrc", ".netrc", "~", "~/", "~/a/", "~/../x", "~/a/./b", "~//a", "~other/a"}) {
    bad("[{name: A, from: {env: A}, hosts: [a.example], basic: true, into: {file: '" + path + "', text: '{}'}}]", "no file below the home");
  }
  bad("[{name: A, from: {env: A}, hosts: [a.example], basic: true, into: {file: ~/a, text: x}}]", "with {} where");
  bad("[{name: A, from: {env: A}, hosts: [a.example], basic: true, into: {file: ~/a}}]", "a file and a text");
}

TEST(ReadCredentials, RefusesWhatCannotBeKept) {
  bad("{name: A}", "must be a list");
  bad("[{name: A, from: {env: A}, hosts: [a.example]}]", "says where it goes");
  bad("[{from: {env: A}, hosts: [a.example], header: X}]", "needs 'name'");
  bad("[{name: A, hosts: [a.example], header: X}]", "needs 'from'");
  bad("[{name: A, from: {env: A}, header: X}]", "needs 'hosts'");
  bad("[{name: 'A B', from: {env: A}, hosts: [a.example], header: X}]", "not the name of an environment variable");
  bad("[{name: A, from: {env: A, file: /x}, hosts: [a.example], header: X}]", "names one source");
  bad("[{name: A, from: {}, hosts: [a.example], header: X}]", "names one source");
  bad("[{name: A, from: {file: key}, hosts: [a.example], header: X}]", "relative");
  bad("[{name: A, from: {command: [pass, a]}, hosts: [a.example], header: X}]", "absolute path");
  bad("[{name: A, from: {env: A}, hosts: ['*'], header: X}]", "every host");
  bad("[{name: A, from: {env: A}, hosts: [a.example], header: 'a b'}]", "header field");
  bad("[{name: A, from: {env: A}, hosts: [a.example], authorization: Bearer}]", "where the value stands");
  bad("[{name: A, from: {env: A}, hosts: [a.example], cookie: a}]", "cookie");
}

}  // namespace
}  // namespace sallyport::policies
