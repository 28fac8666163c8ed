#include "cli/secret_scrub.hpp"

#include "dlp/example.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string secret() { return dlp::expand_example("ghp_<b62*30><crc62>", 7).value(); }

template <class Event>
Event scrubbed(Event const& event, proxy::DlpOptions const& options = {}) {
  audit::Event any(event);
  secret_scrub({}, options)(any);
  return std::get<Event>(any);
}

TEST(SecretScrub, ArgumentsLoseTheSecretAndNothingElse) {
  audit::CommandExec exec;
  exec.argv = {"curl", "-H", "Authorization: token " + secret(), "https://example.com/"};
  EXPECT_THAT(
      scrubbed(exec).argv,
      ElementsAre("curl", "-H", "Authorization: token REDACTED-github-pat---------------------", "https://example.com/"));
}

TEST(SecretScrub, PathsNamesAndProcessesOfRequestsAreCleaned) {
  audit::EgressRequest request;
  request.path = "/x?t=" + secret();
  request.host = secret() + ".example.com";
  request.process = audit::Process{1, "/usr/bin/curl", {"curl", secret()}, {}};
  auto const clean = scrubbed(request);
  for (auto const& text : {clean.path, clean.host, clean.process->argv[1]})
    EXPECT_THAT(text, Not(HasSubstr(secret().substr(4)))) << text;
  audit::DnsQuery query;
  query.name = secret() + ".example.com";
  EXPECT_THAT(scrubbed(query).name, Not(HasSubstr(secret().substr(4))));
}

TEST(SecretScrub, SecretSpreadOverTheLabelsOfANameIsCleaned) {
  audit::DnsQuery query;
  query.name = secret().substr(0, 20) + "." + secret().substr(20) + ".example.com";
  EXPECT_EQ(scrubbed(query).name, "REDACTED-github-pat.example.com");
}

TEST(SecretScrub, CodedSecretIsOverwrittenWhereItIsCoded) {
  audit::CommandExec exec;
  exec.argv = {"echo", "Z2hwX3" + std::string("x")};
  std::string hex;
  for (unsigned char const c : secret()) hex += {"0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
  exec.argv = {"echo", "key " + hex + " end"};
  EXPECT_THAT(scrubbed(exec).argv[1], Not(HasSubstr(hex.substr(10, 40))));
}

TEST(SecretScrub, KnownValuesAreCleaned) {
  proxy::DlpOptions options{nullptr, "salt"};
  options.known =
      std::make_shared<dlp::KnownValues const>(std::vector<dlp::KnownValue>{{"A_TOKEN", "hunter2hunter2XY"}}, options.salt);
  audit::CommandExec exec;
  exec.argv = {"login", "--password=hunter2hunter2XY"};
  EXPECT_EQ(scrubbed(exec, options).argv[1], "--password=REDACTED-known-v");
}

TEST(SecretScrub, OrdinaryRecordsStayAsTheyAre) {
  audit::CommandExec exec;
  exec.argv = {"npm", "install", "express", "--registry=https://registry.npmjs.org/"};
  EXPECT_EQ(scrubbed(exec).argv, exec.argv);
}

}  // namespace
}  // namespace sallyport::cli
