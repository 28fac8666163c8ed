// The job the product is for: a package install from the real npm registry inside the jail. Needs the registry; when the
// host itself cannot reach it the test fails and says so, since a skipped main job would look like a working one.

#include "tests/integration/refusals.hpp"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;

class MainJob : public testing::Test {
 protected:
  void SetUp() override {
    auto const reached =
        run_command({{"curl", "-sS", "--max-time", "20", "-o", "/dev/null", "https://registry.npmjs.org/express"}});
    ASSERT_EQ(reached.exit_code, 0) << "this host cannot reach registry.npmjs.org: " << reached.err;
  }

  /// A session with the shipped preset instead of the test's own policy file.
  JailOutcome run(std::vector<std::string> const& argv) {
    auto command = jail_.command({"--policy", "npm"}, argv);
    command.timeout = 240s;
    return jail_.run(std::move(command));
  }

  void expect_installed(JailOutcome const& outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(jail_.workspace() / "node_modules/express/package.json"));
    auto const allowed = having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"}});
    EXPECT_FALSE(allowed.empty());
    for (auto const& record : allowed) EXPECT_EQ(text_at(record, "host"), "registry.npmjs.org") << print({record});
    EXPECT_EQ(jail_.sallyport({"audit", "verify", jail_.audit_file()}).exit_code, 0);
  }

  Jail jail_;
};

TEST_F(MainJob, NpmInstallsThroughTheProxyVariables) {
  auto const outcome = run({"npm", "install", "express"});
  expect_installed(outcome);
  EXPECT_FALSE(having(outcome.records, {{"type", "egress.request"}, {"leg", "connect"}, {"verdict", "allow"}}).empty());
}

TEST_F(MainJob, NpmInstallsWithoutProxyVariablesByCapture) {
  auto const outcome = run({"sh", "-c", "env -i PATH=\"$PATH\" HOME=\"$HOME\" npm install express"});
  expect_installed(outcome);
  EXPECT_FALSE(having(outcome.records, {{"type", "egress.request"}, {"leg", "transparent"}, {"verdict", "allow"}}).empty());
}

TEST_F(MainJob, NpmCiInstallsALockedProjectOfHundredsOfPackages) {
  jail_.add_file("package.json", R"({"name": "large", "version": "1.0.0", "dependencies": {"express": "*", "jest": "^29"}})");
  auto const locked = run({"npm", "install", "--package-lock-only", "--no-audit", "--no-fund"});
  ASSERT_EQ(locked.exit_code, 0) << locked.err;
  auto const outcome = run({"npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  auto const fetched = having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"verdict", "allow"}, {"method", "GET"}, {"rule", "npm-fetch"}});
  EXPECT_GE(fetched.size(), 300u);
  for (auto const& record : fetched) EXPECT_THAT(text_at(record, "path"), testing::StartsWith("/"));
  EXPECT_EQ(jail_.sallyport({"audit", "verify", jail_.audit_file()}).exit_code, 0);
}

TEST_F(MainJob, NpmAuditsAScopedPackage) {
  // Not every registry that stands in for the real one audits: what counts is that the question goes out.
  auto const outcome = run({"sh", "-c", "npm install @types/node && (npm audit || true)"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err << print(outcome.records);
  expect_recorded(outcome, {{"method", "GET"}, {"path", "/@types%2Fnode"}, {"rule", "npm-fetch"}, {"verdict", "allow"}});
  expect_recorded(outcome, {{"method", "POST"}, {"rule", "npm-audit"}, {"verdict", "allow"}});
}

TEST_F(MainJob, NpmPublishesNothingAndLogsInNowhere) {
  jail_.add_file("package.json", R"({"name": "sallyport-test-of-a-refusal", "version": "1.0.0"})");
  jail_.add_file(".npmrc", "//registry.npmjs.org/:_authToken=not-a-token\n");
  auto const published = run({"npm", "publish", "--no-provenance"});
  EXPECT_NE(published.exit_code, 0);
  EXPECT_THAT(published.err, HasSubstr("403"));
  expect_recorded(published, {{"method", "PUT"}, {"path", "/sallyport-test-of-a-refusal"}, {"verdict", "deny"}, {"reason", "method_not_allowed"}});
  auto const login = run({"npm", "login", "--auth-type=web"});
  EXPECT_NE(login.exit_code, 0);
  expect_recorded(login, {{"method", "POST"}, {"path", "/-/v1/login"}, {"verdict", "deny"}, {"reason", "path_not_allowed"}});
}

TEST_F(MainJob, EverythingElseIsRefusedInTheSameJail) {
  auto const outcome =
      run({"sh", "-c", "curl -sS https://example.com; curl -sS --noproxy '*' https://1.1.1.1; getent hosts example.com"});
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_LT(outcome.duration, 3s);
  EXPECT_THAT(outcome.err, HasSubstr("403"));
  EXPECT_TRUE(having(outcome.records, {{"verdict", "allow"}, {"type", "egress.request"}}).empty());
}

}  // namespace
}  // namespace sallyport::test
