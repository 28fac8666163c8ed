// What passes through `sallyport run` unchanged: exit codes, stdin, stdout, stderr, directory, and what does not: the
// environment.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;

TEST(ExitCode, IsThatOfTheCommand) {
  Jail jail;
  auto const code = [&](std::string const& script) { return jail.run({}, {"sh", "-c", script}).exit_code; };
  EXPECT_EQ(code("exit 0"), 0);
  EXPECT_EQ(code("exit 7"), 7);
  EXPECT_EQ(code("exit 255"), 255);
  EXPECT_EQ(code("kill -TERM $$"), 143);
  EXPECT_EQ(code("kill -KILL $$"), 137);
  EXPECT_EQ(code("kill -SEGV $$"), 139);
}

TEST(ExitCode, SaysWhetherTheCommandIsMissingOrNotExecutable) {
  Jail jail;
  EXPECT_EQ(jail.run({}, {"no-such-program-anywhere"}).exit_code, 127);
  EXPECT_EQ(jail.run({}, {"./no-such-file"}).exit_code, 127);
  jail.add_file("plain.txt", "not a program");
  EXPECT_EQ(jail.run({}, {"./plain.txt"}).exit_code, 126);
  EXPECT_EQ(jail.run({}, {"/etc"}).exit_code, 126);
}

TEST(ExitCode, TimeLimitIs124AndEndsEverything) {
  Jail jail;
  auto const outcome = jail.run({"--timeout", "1s"}, {"sh", "-c", "sleep 60 & sleep 60"});
  EXPECT_EQ(outcome.exit_code, 124);
  EXPECT_GE(outcome.duration, 1s);
  EXPECT_LT(outcome.duration, 5s);
  EXPECT_EQ(having(outcome.records, {{"type", "session.end"}, {"cause", "timeout"}}).size(), 1u) << print(outcome.records);
}

TEST(ExitCode, TimeLimitAlsoEndsACommandThatIgnoresSignals) {
  Jail jail;
  auto const outcome = jail.run({"--timeout", "1s"}, {"sh", "-c", "trap '' TERM INT HUP; while :; do sleep 60; done"});
  EXPECT_EQ(outcome.exit_code, 124);
  EXPECT_LT(outcome.duration, 10s);
}

TEST(ExitCode, WhatCannotBeSetUpIs125AndStartsNothing) {
  Jail jail;
  auto const failed = [&](std::vector<std::string> const& options, std::string const& why) {
    auto const outcome = jail.run(options, {"sh", "-c", "echo started"});
    EXPECT_EQ(outcome.exit_code, 125) << why;
    EXPECT_EQ(outcome.out, "") << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  failed({"--policy", "no-such-preset"}, "no-such-preset");
  failed({"--policy", "./missing.yaml"}, "missing.yaml");
  failed({"--workspace", "/no/such/directory"}, "/no/such/directory");
  failed({"--workspace", "/"}, "/");
  failed({"--allow", "*.com"}, "*.com");
  failed({"--resolve", "nonsense"}, "nonsense");
  failed({"--no-such-option"}, "--no-such-option");
  jail.set_policy("version: 1\nname: broken\nno_such_key: 1\n");
  failed({}, jail.policy_file().string() + ":3:1");
}

TEST(ExitCode, AuditFileThatCannotBeWrittenIs125) {
  Jail jail;
  auto const outcome = jail.run({"--audit", "/dev/full"}, {"sh", "-c", "echo started"});
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_EQ(outcome.out, "");
}

TEST(PassThrough, StdinStdoutAndStderrCarryBytesUnchanged) {
  Jail jail;
  auto const bytes = pattern_bytes(3 * 1024 * 1024 + 7);
  auto command = jail.command({}, {"sh", "-c", "cat > copy; cat copy; cat copy >&2"});
  command.input = bytes;
  auto const outcome = jail.run(std::move(command));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out == bytes);
  EXPECT_TRUE(outcome.err == bytes) << "nothing was refused, so nothing is said";
}

TEST(PassThrough, OutputMayOutliveNothing) {
  Jail jail;
  auto const outcome = jail.run({}, {"sh", "-c", "(sleep 60; echo late) & echo early"});
  EXPECT_EQ(outcome.out, "early\n");
  EXPECT_LT(outcome.duration, 5s) << "what the command left behind ends with it";
}

TEST(PassThrough, WorkingDirectoryIsKept) {
  Jail jail;
  std::filesystem::create_directories(jail.workspace() / "deep/er");
  EXPECT_EQ(jail.run({}, {"pwd"}).out, jail.workspace().string() + "\n");
  auto command = jail.command({}, {"pwd"});
  command.directory = jail.workspace() / "deep/er";
  EXPECT_EQ(jail.run(std::move(command)).out, (jail.workspace() / "deep/er").string() + "\n");
}

TEST(PassThrough, ArgumentsArriveAsTheyAre) {
  Jail jail;
  EXPECT_EQ(jail.run({}, {"printf", "%s|", "a b", "", "--", "*", "-x", "\xff"}).out, "a b||--|*|-x|\xff|");
}

std::set<std::string> names_in(std::string const& environment) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < environment.size(); at = environment.find('\0', at) + 1) {
    names.insert(environment.substr(at, environment.find('=', at) - at));
  }
  return names;
}

TEST(Environment, OnlyTheDocumentedVariablesAreThere) {
  Jail jail;
  auto command = jail.command({}, {"env", "-0"});
  for (auto const* variable :
       {"AWS_SECRET_ACCESS_KEY=s3cret", "GITHUB_TOKEN=s3cret", "LD_PRELOAD=/s3cret.so", "LD_AUDIT=/s3cret.so",
        "NODE_OPTIONS=--s3cret", "PYTHONSTARTUP=/s3cret", "GIT_SSH_COMMAND=s3cret", "BASH_ENV=/s3cret", "PERL5OPT=-Ms3cret",
        "JAVA_TOOL_OPTIONS=-Ds3cret", "SSH_AUTH_SOCK=/s3cret", "http_proxy=http://s3cret", "SALLYPORT_POLICY=/s3cret",
        "TERM=xterm", "LC_ALL=C.UTF-8"}) {
    command.environment->push_back(variable);
  }
  auto const outcome = jail.run(std::move(command));
  EXPECT_THAT(outcome.out, Not(HasSubstr("s3cret")));
  EXPECT_THAT(names_in(outcome.out), IsSubsetOf({"PATH",
                                                 "HOME",
                                                 "LANG",
                                                 "LC_ALL",
                                                 "TERM",
                                                 "SALLYPORT",
                                                 "http_proxy",
                                                 "https_proxy",
                                                 "all_proxy",
                                                 "no_proxy",
                                                 "HTTP_PROXY",
                                                 "HTTPS_PROXY",
                                                 "ALL_PROXY",
                                                 "NO_PROXY",
                                                 "npm_config_proxy",
                                                 "npm_config_https_proxy",
                                                 "npm_config_noproxy",
                                                 "PIP_PROXY",
                                                 "CARGO_HTTP_PROXY",
                                                 "NODE_USE_ENV_PROXY",
                                                 "JAVA_TOOL_OPTIONS"}));
}

TEST(Environment, TheCallersVariablesDoNotReachTheSupervisor) {
  Jail jail;
  auto const library = jail.add_file("not-a-library.so", "no ELF file").string();
  auto command = jail.command({}, {"sh", "-c", "echo ran"});
  command.environment->push_back("BASH_ENV=" + library);
  command.environment->push_back("NODE_OPTIONS=--require=" + library);
  EXPECT_EQ(jail.run(std::move(command)).out, "ran\n");
}

TEST(Environment, PolicyMayPassAndSetVariables) {
  Jail jail;
  jail.set_policy("version: 1\nname: test\njail:\n  env:\n    pass: [WANTED]\n    set: {GIVEN: given}\n");
  auto command = jail.command({}, {"sh", "-c", "echo $WANTED $GIVEN $OTHER"});
  command.environment->insert(command.environment->end(), {"WANTED=wanted", "OTHER=other"});
  EXPECT_EQ(jail.run(std::move(command)).out, "wanted given\n");
}

TEST(Environment, HomeIsThereEmptyAndWritable) {
  Jail jail;
  write_file(jail.home() / ".npmrc", "//registry.npmjs.org/:_authToken=s3cret");
  auto const outcome = jail.run({}, {"sh", "-c", "cd && pwd && ls -A && echo x > file && cat file"});
  EXPECT_EQ(outcome.out, jail.home().string() + "\nx\n");
  EXPECT_FALSE(std::filesystem::exists(jail.home() / "file"));
}

}  // namespace
}  // namespace sallyport::test
