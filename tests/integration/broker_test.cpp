// Credentials in real jails: the command has a placeholder, the server gets the real value, and everybody else nothing.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr char kValue[] = "real-value-0123456789-xyz";
constexpr char kPolicy[] =
    "version: 1\nname: test\negress:\n"
    "  - {name: api, hosts: [allowed.example, other.example]}\n"
    "  - {name: leaves, hosts: [off.example], dlp: off}\n"
    "credentials:\n"
    "  - {name: API_KEY, from: {env: REAL_KEY}, hosts: [allowed.example], header: x-key, query: key, body: true}\n";

class Brokered : public testing::Test {
 protected:
  Brokered() { jail_.set_policy(kPolicy); }

  JailOutcome shell(std::string const& script) {
    std::vector<std::string> options = {"--ca-bundle", jail_.add_file("operator.pem", ca_.pem())};
    for (std::string const name : {"allowed.example", "other.example", "off.example"}) {
      auto const pins = pin(name, 443, origin_.port());
      options.insert(options.end(), pins.begin(), pins.end());
    }
    auto command = jail_.command(options, {"sh", "-c", script});
    command.environment->push_back(std::string("REAL_KEY=") + kValue);
    return jail_.run(std::move(command));
  }
  std::string log_text() const {
    std::ifstream log(jail_.audit_file());
    return {std::istreambuf_iterator<char>(log), {}};
  }

  TestCa ca_;
  Origin origin_{ca_, {"allowed.example", "other.example", "off.example"}};
  Jail jail_;
};

TEST_F(Brokered, JailHasAPlaceholderOfTheSameShapeAndNotTheValue) {
  auto const outcome = shell("printf '%s' \"$API_KEY\"; env > env; cat /proc/*/environ >> env 2>/dev/null; grep -c real-value env");
  EXPECT_THAT(outcome.out, testing::MatchesRegex("[a-z]{4}-[a-z]{5}-[0-9]{10}-[a-z]{3}0\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr(kValue)));
}

TEST_F(Brokered, ServerGetsTheValueInTheSpotsThatArePermitted) {
  auto const header = shell("curl -sS -H \"X-Key: $API_KEY\" https://allowed.example/digest/x-key");
  EXPECT_EQ(header.out, sha256_hex(kValue)) << header.err;
  EXPECT_EQ(having(header.records, {{"type", "credential.use"}, {"name", "API_KEY"}, {"host", "allowed.example"}, {"place", "head"}}).size(), 1u);
  auto const query = shell("curl -sS \"https://allowed.example/echo?key=$API_KEY\"");
  EXPECT_EQ(having(query.records, {{"type", "credential.use"}, {"place", "head"}}).size(), 1u);
  auto const body = std::string("{\"k\":\"") + kValue + "\"}";
  auto const sent = shell("curl -sS -d \"{\\\"k\\\":\\\"$API_KEY\\\"}\" https://allowed.example/upload");
  EXPECT_EQ(sent.out, std::to_string(body.size()) + " " + sha256_hex(body) + "\n");
  EXPECT_THAT(log_text(), Not(HasSubstr(kValue)));
}

/// Two legs, and HTTP/2: whoever the server answers gets the placeholder.
TEST_F(Brokered, ServerThatSendsTheValueBackSendsThePlaceholder) {
  for (std::string const client : {"curl -sS --compressed", "curl -sS --http2 --compressed", "env -u https_proxy -u HTTPS_PROXY curl -sS"}) {
    SCOPED_TRACE(client);
    auto const outcome = shell("printf '%s\\n' \"$API_KEY\"; " + client + " -H \"X-Key: $API_KEY\" https://allowed.example/echo");
    auto const placeholder = outcome.out.substr(0, outcome.out.find('\n'));
    EXPECT_THAT(outcome.out, HasSubstr("x-key: " + placeholder)) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr(kValue)));
    EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"detector", "credential"}, {"action", "redact"}, {"place", "response body"}}).size(), 1u)
        << print(outcome.records);
  }
  auto const coded = shell("curl -sS -H \"X-Key: $API_KEY\" https://allowed.example/echo/reversed");
  EXPECT_THAT(coded.out, HasSubstr("credential_misuse")) << coded.err;
  EXPECT_THAT(coded.out, Not(HasSubstr(std::string(std::string_view(kValue).rbegin(), std::string_view(kValue).rend()))));
}

TEST_F(Brokered, ProgramThatReadsItsCredentialFromAFileFindsThePlaceholderThere) {
  jail_.set_policy("version: 1\nname: test\negress: [{name: api, hosts: [allowed.example]}]\ncredentials:\n"
                   "  - {name: API_KEY, from: {env: REAL_KEY}, hosts: [allowed.example], basic: true,\n"
                   "     into: {file: ~/.netrc, text: \"machine allowed.example login me password {}\\n\"}}\n");
  auto const outcome = shell("stat -c %a ~/.netrc; grep -c \"$API_KEY\" ~/.netrc; curl -sS --netrc https://allowed.example/digest/authorization");
  EXPECT_EQ(outcome.out, "600\n1\n" + sha256_hex("Basic bWU6cmVhbC12YWx1ZS0wMTIzNDU2Nzg5LXh5eg==")) << outcome.err;
}

/// The server gets what the file holds, while one session runs; the new value is known as the old one was.
TEST_F(Brokered, FileThatChangesIsReadAgain) {
  TempDir const keys;
  auto const key = (keys.path() / "key").string();
  write_file(key, "first-value-0123456789\n");
  ::chmod(keys.path().c_str(), 0755);
  ::chmod(key.c_str(), 0644);
  jail_.set_policy("version: 1\nname: test\negress: [{name: api, hosts: [allowed.example]}]\ncredentials:\n"
                   "  - {name: API_KEY, from: {file: " + key + "}, hosts: [allowed.example], header: x-key}\n");
  std::vector<std::string> options = {"--ca-bundle", jail_.add_file("operator.pem", ca_.pem())};
  auto const pins = pin("allowed.example", 443, origin_.port());
  options.insert(options.end(), pins.begin(), pins.end());
  std::string const ask = "curl -sS -H \"X-Key: $API_KEY\" https://allowed.example/digest/x-key";
  auto command = jail_.command(options, {"sh", "-c",
                                         "first=$(" + ask + "); echo \"$first\"; for i in $(seq 200); do now=$(" + ask + "); [ \"$now\" != \"$first\" ] && break; sleep 0.1; done; echo \"$now\"; "
                                         "value=second-value-; curl -sS -H \"X-Other: ${value}9876543210-longer\" https://allowed.example/hello; "
                                         "curl -sS https://allowed.example/${value}9876543210-longer"});
  Process session(std::move(command));
  ASSERT_TRUE(session.wait_for_output(sha256_hex("first-value-0123456789"), 20s)) << session.out();
  write_file(key + ".new", "second-value-9876543210-longer\n");
  ::chmod((key + ".new").c_str(), 0644);
  fs::rename(key + ".new", key);
  auto const outcome = session.wait();
  EXPECT_THAT(outcome.out, HasSubstr(sha256_hex("second-value-9876543210-longer"))) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("credential_misuse"));
  EXPECT_THAT(log_text(), Not(HasSubstr("second-value-9876543210")));
}

constexpr char kAwsPolicy[] =
    "version: 1\nname: test\negress: [{name: api, hosts: [allowed.example, other.example]}]\ncredentials:\n"
    "  - {name: AWS_SECRET_ACCESS_KEY, from: {env: REAL_KEY}, hosts: [allowed.example], sigv4: true}\n";

/// Whose signature the server got.
std::string signer(std::string const& head, std::string const& body, std::string const& placeholder) {
  auto const outcome = run_command({.argv = {"/usr/bin/python3", SALLYPORT_CHECK_SIGV4, sha256_hex(body), std::string("value=") + kValue, "placeholder=" + placeholder}, .input = head});
  return outcome.out + outcome.err;
}

TEST_F(Brokered, RequestThatThePlaceholderSignedIsSignedWithTheValue) {
  jail_.set_policy(kAwsPolicy);
  struct Asked {
    std::string host, options, body, signer;
  };
  for (auto const& [host, options, body, by] : std::vector<Asked>{
           {"allowed.example", "--http1.1 --aws-sigv4 aws:amz:us-east-1:dynamodb", "{\"a\":1}", "value"},
           {"allowed.example", "--http2 --aws-sigv4 aws:amz:us-east-1:dynamodb", "{\"a\":1}", "value"},
           {"allowed.example", "--http1.1 --aws-sigv4 aws:amz:us-east-1:lambda", std::string(1'500'000, 'a'), "value"},
           {"allowed.example", "--aws-sigv4 aws:amz:eu-west-1:s3", "", "value"},
           {"other.example", "--aws-sigv4 aws:amz:us-east-1:dynamodb", "{\"a\":1}", "placeholder"}}) {
    SCOPED_TRACE(host + " " + options);
    jail_.add_file("body", body);  // a long one comes only after a 100
    auto const data = body.empty() ? std::string() : " --data-binary @body";
    auto const outcome = shell("echo \"$AWS_SECRET_ACCESS_KEY\"; curl -sS " + options + " --user \"AKIDEXAMPLE:$AWS_SECRET_ACCESS_KEY\"" + data + " https://" + host + "/echo");
    auto const line = outcome.out.find('\n');
    EXPECT_EQ(signer(outcome.out.substr(line + 1), body, outcome.out.substr(0, line)), by + "\n") << outcome.out << outcome.err;
    EXPECT_EQ(having(outcome.records, {{"type", "credential.use"}, {"place", "signature"}}).size(), by == "value" ? 1U : 0U);
  }
  EXPECT_THAT(log_text(), Not(HasSubstr(kValue)));
}

TEST_F(Brokered, RequestThatCannotBeSignedAnewIsRefusedReadably) {
  jail_.set_policy(kAwsPolicy);
  std::string const sign = " --user \"AKIDEXAMPLE:$AWS_SECRET_ACCESS_KEY\" --aws-sigv4 aws:amz:us-east-1:";
  auto const large = shell("head -c 5000000 /dev/zero | tr '\\0' a > large; curl -sS" + sign + "lambda --data-binary @large https://allowed.example/echo");
  EXPECT_THAT(large.out, HasSubstr("is longer than 4194304 bytes, and its signature is over all of it")) << large.err;
  auto const chunks = shell("curl -sS" + sign + "s3 -H 'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD' -d abc https://allowed.example/echo");
  EXPECT_THAT(chunks.out, HasSubstr("signed each chunk of the body")) << chunks.err;
  EXPECT_EQ(origin_.requests(), 0U);
}

TEST_F(Brokered, RedirectToAnotherHostTakesNothingAlong) {
  auto const outcome = shell("curl -sS -L -H \"X-Key: $API_KEY\" \"https://allowed.example/redirect?https://other.example/echo\"");
  EXPECT_THAT(outcome.out, HasSubstr("credential_misuse"));
  EXPECT_EQ(origin_.requests(), 1u) << "the one that was answered with the redirect";
}

TEST_F(Brokered, PlaceholderAndValueAreRefusedEverywhereElse) {
  for (std::string const attempt : {
           "-H \"X-Key: $API_KEY\" https://other.example/echo",
           "-H \"X-Key: $API_KEY\" https://off.example/echo",
           "-H \"X-Other: $API_KEY\" https://allowed.example/echo",
           "-H \"Host: other.example\" -H \"X-Key: $API_KEY\" https://other.example/echo",
           "\"https://allowed.example/echo?other=$API_KEY\"",
           "-d \"k=$API_KEY\" https://other.example/upload",
           "-d \"k=$(printf %s $API_KEY | base64 -w0)\" https://allowed.example/upload",
           "-d k=real-value-0123456789-xyz https://other.example/upload",
           "-H X-Other:real-value-0123456789-xyz https://allowed.example/echo",
       }) {
    SCOPED_TRACE(attempt);
    auto const outcome = shell("curl -sS " + attempt);
    EXPECT_THAT(outcome.out, HasSubstr("credential_misuse"));
    EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"detector", "credential"}, {"severity", "critical"}, {"known", "API_KEY"}}).size(), 1u)
        << print(outcome.records);
    EXPECT_THAT(log_text(), Not(HasSubstr(kValue)));
  }
  EXPECT_EQ(origin_.connections(), 0u);
}

TEST_F(Brokered, CredentialThatIsNotThereStopsTheRun) {
  jail_.set_policy("version: 1\negress: [{hosts: [allowed.example]}]\ncredentials:\n"
                   "  - {name: API_KEY, from: {env: NOT_SET}, hosts: [allowed.example], header: x-key}\n");
  auto const outcome = shell("true");
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_THAT(outcome.err, HasSubstr("credential API_KEY: the variable NOT_SET is not set"));
}

}  // namespace
}  // namespace sallyport::test
