#include "jail/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::jail {
namespace {

using ::testing::Contains;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::uint16_t kPort = 3128;

std::vector<std::string> from(Variables const& host, policies::Environment const& policy = {}) {
  return make_environment(host, policy, {kPort});
}

void passes(std::string const& name, std::string const& value) {
  EXPECT_THAT(from({{name, value}}), Contains(name + "=" + value));
}
void drops(std::string const& name, std::string const& value) {
  EXPECT_THAT(from({{name, value}}), Not(Contains(StartsWith(name + "="))));
}

TEST(Environment, PassesWhatIsOnTheList) {
  passes("PATH", "/usr/bin");
  passes("HOME", "/home/u");
  passes("TERM", "xterm");
  passes("LC_ALL", "de_DE.UTF-8");
  passes("CI", "1");
  passes("SSL_CERT_FILE", "/etc/ssl/corporate.pem");
}

TEST(Environment, TheSessionsTrustComesBeforeTheCallersAndBehindThePolicys) {
  SessionVariables const session{kPort, {{"SSL_CERT_FILE", "/.sallyport/a"}, {"PIP_CERT", "/.sallyport/a"}}, "-Dx=y"};
  policies::Environment policy;
  policy.set["PIP_CERT"] = "/mine";
  auto const made = make_environment({{"SSL_CERT_FILE", "/caller"}}, policy, session);
  EXPECT_THAT(made, Contains("SSL_CERT_FILE=/.sallyport/a"));
  EXPECT_THAT(made, Contains("PIP_CERT=/mine"));
  EXPECT_THAT(made, Contains(::testing::AllOf(StartsWith("JAVA_TOOL_OPTIONS=-Dhttp.proxyHost"), ::testing::EndsWith(" -Dx=y"))));
}

TEST(Environment, DropsSecretsLoadersAndAgents) {
  drops("AWS_SECRET_ACCESS_KEY", "x");
  drops("GITHUB_TOKEN", "x");
  drops("ANTHROPIC_API_KEY", "x");
  drops("LD_PRELOAD", "/x.so");
  drops("LD_LIBRARY_PATH", "/x");
  drops("NODE_OPTIONS", "--require=/x.js");
  drops("SSH_AUTH_SOCK", "/run/agent");
  drops("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus");
  drops("XDG_RUNTIME_DIR", "/run/user/1");
  drops("LC", "x");
  drops("path", "/x");
}

TEST(Environment, DropsACertificatePathThatIsNone) {
  drops("SSL_CERT_FILE", "relative.pem");
  drops("NODE_EXTRA_CA_CERTS", "");
}

TEST(Environment, PassesWhatThePolicyNamesAndSetsWhatItSets) {
  policies::Environment policy;
  policy.pass = {"MY_FLAG"};
  policy.set = {{"CI", "true"}, {"HTTP_PROXY", "http://other:1"}};
  auto const made = from({{"MY_FLAG", "a=b"}, {"MY_FLAG2", "x"}, {"CI", "0"}}, policy);
  EXPECT_THAT(made, Contains("MY_FLAG=a=b"));
  EXPECT_THAT(made, Not(Contains(StartsWith("MY_FLAG2="))));
  EXPECT_THAT(made, Contains("CI=true"));
  EXPECT_THAT(made, Contains("HTTP_PROXY=http://other:1"));
}

TEST(Environment, PointsEveryClientAtTheProxyWhateverTheCallerHad) {
  auto const made = from({{"http_proxy", "http://caller:1"}, {"no_proxy", "*"}});
  for (auto name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "npm_config_proxy",
                    "npm_config_https_proxy", "PIP_PROXY", "CARGO_HTTP_PROXY"})
    EXPECT_THAT(made, Contains(std::string(name) + "=http://127.0.0.1:3128"));
  for (auto name : {"no_proxy", "NO_PROXY", "npm_config_noproxy"})
    EXPECT_THAT(made, Contains(std::string(name) + "=localhost,127.0.0.1,::1"));
  EXPECT_THAT(made, Contains("NODE_USE_ENV_PROXY=1"));
  EXPECT_THAT(made, Contains(StartsWith("JAVA_TOOL_OPTIONS=-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=3128 ")));
}

TEST(Environment, HasAPathAndSaysThatThisIsAJail) {
  EXPECT_THAT(from({}), Contains("PATH=/usr/local/bin:/usr/bin:/bin"));
  EXPECT_THAT(from({}), Contains("SALLYPORT=1"));
  EXPECT_TRUE(std::ranges::is_sorted(from({{"TERM", "x"}, {"HOME", "/h"}})));
}

TEST(Environment, ReadsAnEnvironArrayAsGetenvDoes) {
  char const* const entries[] = {"A=1", "A=2", "B=x=y", "=odd", "noequals", "C=", nullptr};
  EXPECT_EQ(read_environment(entries), (Variables{{"A", "1"}, {"B", "x=y"}, {"C", ""}}));
  EXPECT_TRUE(read_environment(nullptr).empty());
}

}  // namespace
}  // namespace sallyport::jail
