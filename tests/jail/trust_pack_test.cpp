#include "jail/trust_pack.hpp"

#include "jail/java_store.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sallyport::jail {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kHostBundle[] = "/etc/ssl/certs/ca-certificates.crt";

std::string const& authority() {
  static std::string const pem = test::TestCa().pem();
  return pem;
}

std::string contents(std::string const& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

/// What the jail will have.
std::string text_of(TrustFile const& file) {
  auto const host = file.host.path.empty() ? "" : contents(file.host.path).substr(file.host.offset, file.host.length);
  return file.head + host + file.tail;
}

TrustFile file(TrustPack const& pack, std::string const& name) {
  auto const found = std::ranges::find_if(pack.files, [&](auto const& each) { return each.name == name; });
  return found == pack.files.end() ? TrustFile{} : *found;
}

TEST(TrustPack, AddsTheAuthorityToTheHostsRoots) {
  if (!std::filesystem::exists(kHostBundle)) GTEST_SKIP() << "no bundle on this host";
  auto const pack = make_trust_pack(authority(), {}).value();
  auto const bundle = file(pack, "ca-certificates.crt");
  EXPECT_THAT(text_of(bundle), StartsWith(contents(kHostBundle) + "\n"));
  EXPECT_THAT(text_of(bundle), EndsWith(authority()));
  EXPECT_THAT(bundle.places, ::testing::Contains(std::filesystem::canonical(kHostBundle).string()));
  for (auto const& place : bundle.places) EXPECT_EQ(std::filesystem::canonical(place), place) << "a mount follows no link";
}

TEST(TrustPack, WhatTheCallersVariablesNameStaysTrusted) {
  test::TempDir const directory;
  auto const corporate = (directory / "corporate.pem").string(), extra = (directory / "extra.pem").string();
  std::ofstream(corporate) << "corporate root";
  std::ofstream(extra) << "extra root";
  auto const pack = make_trust_pack(authority(), {{"REQUESTS_CA_BUNDLE", corporate},
                                                  {"SSL_CERT_FILE", corporate},
                                                  {"NODE_EXTRA_CA_CERTS", extra},
                                                  {"PIP_CERT", "relative.pem"},
                                                  {"CURL_CA_BUNDLE", (directory / "absent").string()}})
                        .value();
  auto const bundle = text_of(file(pack, "ca-certificates.crt"));
  EXPECT_THAT(bundle, EndsWith(std::string("corporate root\n") + authority()));
  EXPECT_EQ(bundle.find("corporate root"), bundle.rfind("corporate root")) << "once";
  EXPECT_EQ(text_of(file(pack, "session-ca.crt")), std::string("extra root\n") + authority());
  EXPECT_EQ(pack.variables.at("REQUESTS_CA_BUNDLE"), "/.sallyport/ca-certificates.crt");
  EXPECT_EQ(pack.variables.at("NODE_EXTRA_CA_CERTS"), "/.sallyport/session-ca.crt");
  EXPECT_EQ(pack.variables.at("UV_NATIVE_TLS"), "true");
}

TEST(TrustPack, NamesNothingButItsOwnFiles) {
  auto const pack = make_trust_pack(authority(), {}).value();
  for (auto const& [name, value] : pack.variables) {
    if (!value.starts_with('/')) continue;
    auto const staged = value.substr(std::string_view("/.sallyport/").size());
    EXPECT_EQ(file(pack, staged).name, staged) << name;
  }
  for (auto const& home : pack.home) {
    if (home.name.ends_with(".db")) continue;
    EXPECT_THAT(home.content, HasSubstr("/.sallyport/ca-certificates.crt"));
  }
}

TEST(TrustPack, AddsToTheStoreOfJava) {
  auto const store = contents("/etc/ssl/certs/java/cacerts");
  if (!store.starts_with("\xfe\xed\xfe\xed")) GTEST_SKIP() << "no Java keystore on this host";
  auto const pack = make_trust_pack(authority(), {}).value();
  auto const added = file(pack, "cacerts");
  EXPECT_GT(text_of(added).size(), store.size());
  EXPECT_THAT(added.places, ::testing::Contains("/etc/ssl/certs/java/cacerts"));
  EXPECT_THAT(pack.java_options, HasSubstr("-Djavax.net.ssl.trustStore=/.sallyport/cacerts"));
}

/// The format that newer JDKs keep their roots in cannot be added to; a store of the other is made of the host's bundle.
TEST(TrustPack, MakesAStoreForJavaWhereThereIsNoneToAddTo) {
  if (contents("/etc/ssl/certs/java/cacerts").starts_with("\xfe\xed\xfe\xed"))
    GTEST_SKIP() << "this host has a keystore that can be added to";
  test::TempDir const home;
  std::filesystem::create_directories(home / "lib/security");
  test::write_file(home / "lib/security/cacerts", "\x30\x82 is PKCS#12");
  auto const pack = make_trust_pack(authority(), {{"JAVA_HOME", home.path().string()}}).value();
  auto const store = text_of(file(pack, "cacerts"));
  EXPECT_THAT(store, StartsWith("\xfe\xed\xfe\xed"));
  EXPECT_THAT(store, HasSubstr(der_of(authority()).value()));
  EXPECT_GE(store.size() + 1000, contents(kHostBundle).size() / 2) << "the host's roots";
  EXPECT_THAT(pack.java_options, HasSubstr("-Djavax.net.ssl.trustStoreType=jks"));
}

TEST(TrustPack, CostsLittle) {
  auto best = std::chrono::nanoseconds::max();
  bool makes_a_store = false;
  for (int i = 0; i < 20; ++i) {
    auto const start = std::chrono::steady_clock::now();
    auto const pack = make_trust_pack(authority(), {}).value();
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - start);
    makes_a_store = file(pack, "cacerts").head.size() > contents(kHostBundle).size() / 2;
  }
  RecordProperty("microseconds", static_cast<int>(best.count() / 1000));
  EXPECT_LT(best, std::chrono::milliseconds(makes_a_store ? 10 : 1)) << "parsing the roots would take ten times as long";
}

}  // namespace
}  // namespace sallyport::jail
