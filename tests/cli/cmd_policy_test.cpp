#include "cli/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <boost/json.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace sallyport::cli {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

std::string contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

/// `sallyport policy ARGUMENTS…`, in this process.
Outcome run(std::vector<std::string> arguments) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const out(std::tmpfile(), &std::fclose);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const err(std::tmpfile(), &std::fclose);
  CLI::App app("", "sallyport");
  Chosen chosen;
  declare_policy(app, chosen);
  arguments.insert(arguments.begin(), "policy");
  std::vector<std::string> const reversed(arguments.rbegin(), arguments.rend());
  app.parse(std::vector<std::string>(reversed));
  Console console;
  console.out = out.get();
  console.err = err.get();
  console.preset_dir = SALLYPORT_PRESETS;
  int const status = chosen(console);
  return {status, contents(out.get()), contents(err.get())};
}

class PolicyCommand : public ::testing::Test {
 protected:
  PolicyCommand() : folder_(::testing::TempDir() + "cmd-policy-" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~PolicyCommand() override { std::filesystem::remove_all(folder_); }
  std::string write(std::string const& name, std::string const& text) {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(PolicyCommand, CheckPrintsOkOrEveryErrorWithItsPlace) {
  auto const good = write("good.yaml", "version: 1\negress: [{hosts: [a.example], inspect: sni}]\n");
  auto const bad = write("bad.yaml", "version: 1\ncommands: {}\negres: []\n");
  auto const ok = run({"check", good, "npm"});
  EXPECT_EQ(ok.status, 0);
  EXPECT_THAT(ok.out, HasSubstr(good + ": ok (1 rule, network restricted)\n"));
  auto const mixed = run({"check", good, bad});
  EXPECT_EQ(mixed.status, 1);
  EXPECT_THAT(mixed.err, HasSubstr(bad + ":2:1: 'commands' is not available in this version"));
  EXPECT_THAT(mixed.err, HasSubstr(bad + ":3:1: unknown key 'egres'"));
}

TEST_F(PolicyCommand, CheckFindsDetectorsThatThereAreNotAndSaysWhatAnImportLeavesOut) {
  write("g.toml", "[[rules]]\nid = \"acme\"\nregex = '''acme_[a-z]+'''\nkeywords = [\"acme\"]\n[[rules]]\nid = \"b\"\nregex = '''x'''\n");
  auto const wrong = write("wrong.yaml", "version: 1\ndlp:\n  detectors: {disable: [nonsense]}\n");
  auto const good = write("good.yaml", "version: 1\ndlp:\n  detectors: {import: [g.toml], disable: [acme]}\n");
  EXPECT_THAT(run({"check", wrong}).err, HasSubstr(wrong + ":3:25: no detector is called 'nonsense'"));
  auto const ok = run({"check", good});
  EXPECT_EQ(ok.status, 0) << ok.err;
  EXPECT_THAT(ok.err, HasSubstr("warning: " + folder_ + "/g.toml:5: b: left out"));
}

TEST_F(PolicyCommand, CheckHasJson) {
  auto const bad = write("bad.yaml", "version: 1\nx: 1\n");
  auto const outcome = run({"check", "--json", bad});
  EXPECT_EQ(outcome.status, 1);
  auto const report = json::parse(outcome.out);
  EXPECT_EQ(report.at("ok"), json::value(false));
  auto const& error = report.at("files").at(0).at("errors").at(0);
  EXPECT_EQ(error.at("line"), 2);
  EXPECT_EQ(error.at("file"), json::value(bad));
}

TEST_F(PolicyCommand, ListNamesThePresets) {
  EXPECT_THAT(run({"list"}).out, HasSubstr("npm          2026-"));
  auto const presets = json::parse(run({"list", "--json"}).out).as_array();
  ASSERT_EQ(presets.size(), 16u);
  EXPECT_EQ(presets[11].at("name"), "npm");
}

TEST_F(PolicyCommand, ShowPrintsWhatPoliciesMergeTo) {
  auto const outcome = run({"show", "npm", "debian"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("presets/npm.yaml:8:5"));
  EXPECT_THAT(outcome.out, HasSubstr("registry.npmjs.org"));
  EXPECT_EQ(run({"check", write("again.yaml", outcome.out)}).status, 0) << outcome.out;
  EXPECT_EQ(json::parse(run({"show", "--json", "npm", "debian"}).out).at("egress").as_array().size(), 3u);
  EXPECT_EQ(run({"show", "nope"}).status, 2);
}

TEST_F(PolicyCommand, ExplainAnswersAsTheProxyWould) {
  auto const allowed = run({"explain", "GET", "https://registry.npmjs.org/express", "--policy", "npm", "--json"});
  EXPECT_EQ(allowed.status, 0);
  auto const verdict = json::parse(allowed.out);
  EXPECT_EQ(verdict.at("verdict"), "allow");
  EXPECT_EQ(verdict.at("rule"), "npm-fetch");
  EXPECT_EQ(verdict.at("line"), 8);
  auto const refused = run({"explain", "GET", "https://example.com/", "--policy", "npm", "--json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(json::parse(refused.out).at("reason"), "no_rule");
  EXPECT_EQ(run({"explain", "CONNECT", "registry.npmjs.org:443", "--policy", "npm"}).status, 0);
  EXPECT_EQ(run({"explain", "CONNECT", "registry.npmjs.org:22", "--policy", "npm"}).status, 1);
  EXPECT_EQ(run({"explain", "POST", "http://deb.debian.org/x", "--policy", "debian"}).status, 1);
}

TEST_F(PolicyCommand, ExplainLooksIntoTlsWhereTheProxyDoes) {
  auto const policy = write("p.yaml", "version: 1\negress:\n  - {name: full, hosts: [a.example], methods: [GET], paths: [/x/**]}\n"
                                      "  - {name: sni, hosts: [b.example], inspect: sni}\n");
  EXPECT_EQ(run({"explain", "GET", "https://a.example/x/y", "--policy", policy}).status, 0);
  EXPECT_THAT(run({"explain", "PUT", "https://a.example/x/y", "--policy", policy}).out, HasSubstr("method_not_allowed"));
  EXPECT_THAT(run({"explain", "GET", "https://a.example/y", "--policy", policy}).out, HasSubstr("path_not_allowed"));
  EXPECT_EQ(run({"explain", "PUT", "https://b.example/y", "--policy", policy}).status, 0) << "nobody sees that it is a PUT";
}

constexpr char const* kTested =
    "version: 1\n"
    "egress: [{name: r, hosts: [a.example], methods: [GET]}]\n"
    "tests:\n"
    "  - {request: GET https://a.example/, expect: allow, rule: r}\n"
    "  - {request: PUT https://a.example/, expect: deny, reason: method_not_allowed}\n";

TEST_F(PolicyCommand, TestRunsTheTestsOfAFile) {
  auto const good = write("good.yaml", kTested);
  auto const outcome = run({"test", good});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("ok    " + good + ":4  GET https://a.example/  allow by rule r\n"));
  EXPECT_THAT(outcome.out, HasSubstr("2 passed, 0 failed\n"));
}

TEST_F(PolicyCommand, TestFailsWhereTheAnswerIsAnother) {
  auto const bad = write("bad.yaml", std::string(kTested) + "  - {request: GET https://b.example/, expect: allow}\n"
                                                            "  - {request: GET https://a.example/, expect: allow, rule: q}\n");
  auto const outcome = run({"test", bad});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("FAIL  " + bad + ":6  GET https://b.example/  expected allow, got deny\n"));
  EXPECT_THAT(outcome.out, HasSubstr("expected rule q, got r"));
  EXPECT_THAT(outcome.out, HasSubstr("2 passed, 2 failed\n"));
  auto const report = json::parse(run({"test", "--json", bad}).out);
  EXPECT_EQ(report.at("failed"), 2);
  EXPECT_EQ(report.at("tests").at(2).at("ok"), json::value(false));
  EXPECT_EQ(report.at("tests").at(2).at("reason"), "no_rule");
}

TEST_F(PolicyCommand, EveryPresetPassesItsOwnTests) {
  auto const presets = json::parse(run({"list", "--json"}).out);
  for (auto const& preset : presets.as_array()) {
    auto const name = json::value_to<std::string>(preset.at("name"));
    auto const outcome = run({"test", name});
    EXPECT_EQ(outcome.status, 0) << name << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(json::value_to<std::string>(preset.at("date")).size(), 10u) << name << " says when it was verified";
  }
}

TEST_F(PolicyCommand, TestWithoutTestsOrPolicyIsAnError) {
  EXPECT_EQ(run({"test", write("untested.yaml", "version: 1\n")}).status, 2);
  EXPECT_EQ(run({"test", write("broken.yaml", "version: 2\n")}).status, 2);
  auto const odd = write("odd.yaml", "version: 1\ntests: [{request: GET ftp://x/, expect: deny}]\n");
  EXPECT_EQ(run({"test", odd}).status, 1);
  EXPECT_THAT(run({"check", odd}).err, HasSubstr(odd + ":2:9: the request of a test"));
}

TEST_F(PolicyCommand, ExplainShowsThePatternThatMatched) {
  auto const outcome = run({"explain", "GET", "https://a.b.example.com/", "--policy", "none", "--allow", "*.example.com"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("allow by rule --allow *.example.com\n"));
  EXPECT_THAT(outcome.out, HasSubstr("host a.b.example.com matches *.example.com"));
}

TEST_F(PolicyCommand, ExplainTellsUsageFromRefusal) {
  EXPECT_EQ(run({"explain", "GET", "example.com", "--policy", "npm"}).status, 2);
  EXPECT_EQ(run({"explain", "GET", "https://2130706433/", "--policy", "npm"}).status, 2);
  EXPECT_EQ(run({"explain", "GET", "https://example.com/", "--policy", "nope"}).status, 2);
}

TEST_F(PolicyCommand, SchemaIsJson) { EXPECT_EQ(json::parse(run({"schema"}).out).at("title"), "Sallyport policy"); }

}  // namespace
}  // namespace sallyport::cli
