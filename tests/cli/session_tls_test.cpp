#include "cli/session_tls.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace sallyport::cli {
namespace {

using policies::policy_of;
using testing::HasSubstr;

class SessionTlsFiles : public testing::Test {
 protected:
  SessionTlsFiles() {
    if (::mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("mkdtemp");
  }
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

TEST_F(SessionTlsFiles, CertificateIsHandedOutWhereItIsNeededAndNowhereElse) {
  auto const opened = prepare_tls(*policy_of({"{hosts: [a.example]}"}), {});
  auto const closed = prepare_tls(*policy_of({"{hosts: [a.example], inspect: sni}"}), {});
  auto const path = directory_ + "/ca.pem";
  EXPECT_THAT(hand_out_certificate(*opened, "").error().what, HasSubstr("--ca-out"));
  EXPECT_TRUE(hand_out_certificate(*closed, ""));
  EXPECT_THAT(write_certificate(*closed, path).error().what, HasSubstr("no certificate"));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(hand_out_certificate(*opened, path));
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), opened->ca->certificate);
  ASSERT_TRUE(hand_out_certificate(*closed, path));
  EXPECT_EQ(std::filesystem::file_size(path), 0u) << "one of a session before is left";
  EXPECT_THAT(hand_out_certificate(*opened, "/nowhere/ca.pem").error().what, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace sallyport::cli
