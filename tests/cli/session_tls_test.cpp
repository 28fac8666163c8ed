#include "cli/session_tls.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sallyport::cli {
namespace {

using policies::policy_of;
using testing::HasSubstr;

class SessionTlsFiles : public testing::Test {
 protected:
  SessionTlsFiles() { ::mkdtemp(directory_.data()); }
  ~SessionTlsFiles() override { std::filesystem::remove_all(directory_); }
  std::string write(std::string const& name, std::string const& text) {
    auto const path = directory_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  std::string directory_ = "/tmp/session_tls.XXXXXX";
};

TEST_F(SessionTlsFiles, AuthorityIsMadeOnlyIfARuleOpensTls) {
  EXPECT_TRUE(prepare_tls(*policy_of({"{hosts: [a.example]}"}), {})->ca);
  EXPECT_FALSE(prepare_tls(*policy_of({"{hosts: [a.example], inspect: sni}"}), {})->ca);
}

TEST_F(SessionTlsFiles, BundlesAreReadAndJoined) {
  std::string const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  auto const policy = policy_of({"{hosts: [a.example], inspect: sni}"});
  EXPECT_EQ(prepare_tls(*policy, {write("a", pem), write("b", pem)})->ca_bundle, pem + "\n" + pem + "\n");
}

TEST_F(SessionTlsFiles, FileWithoutACertificateIsAnError) {
  auto const policy = policy_of({"{hosts: [a.example]}"});
  EXPECT_THAT(prepare_tls(*policy, {directory_ + "/none"}).error().what, HasSubstr("cannot be read"));
  EXPECT_THAT(prepare_tls(*policy, {write("a", "text")}).error().what, HasSubstr("no certificate"));
}

}  // namespace
}  // namespace sallyport::cli
