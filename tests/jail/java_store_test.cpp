#include "jail/java_store.hpp"

#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sallyport::jail {
namespace {

using ::testing::HasSubstr;

constexpr char kKeytool[] = "/usr/bin/keytool";

/// A store without entries, as the format has it.
std::string empty_store() {
  std::string store("\xfe\xed\xfe\xed\x00\x00\x00\x02", 8);
  store.resize(12 + 20);  // no entries, and a digest that nobody asks for
  return store;
}

Result<std::string> grown(std::string const& store, std::string_view certificate, std::string_view alias) {
  auto const made = with_certificate(store, certificate, alias);
  if (!made) return made.error();
  return made->head + store.substr(made->offset, made->length) + made->tail;
}

TEST(JavaStore, GrowsByOneEntryInFront) {
  auto const ca = test::TestCa().pem();
  auto const one = grown(empty_store(), ca, "first").value();
  auto const two = grown(one, ca, "second").value();
  EXPECT_EQ(one[11], 1);
  EXPECT_EQ(two[11], 2);
  EXPECT_THAT(two, HasSubstr("second"));
  auto const entries = one.substr(12, one.size() - 12 - 20);
  EXPECT_THAT(two, HasSubstr(entries)) << "what was there stays";
}

TEST(JavaStore, RefusesWhatIsNone) {
  auto const ca = test::TestCa().pem();
  EXPECT_FALSE(grown("", ca, "x"));
  EXPECT_FALSE(grown(std::string("\x30\x82\x00\x10") + std::string(40, 'x'), ca, "x")) << "PKCS#12";
  EXPECT_FALSE(grown(empty_store(), "no certificate", "x"));
  EXPECT_FALSE(is_java_store(empty_store().substr(1)));
}

TEST(JavaStore, OfABundleHoldsEachOfItsCertificates) {
  auto const one = test::TestCa().pem(), two = test::TestCa().pem();
  auto const store = java_store_of("a comment\n" + one + "-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----\n" + two);
  EXPECT_TRUE(is_java_store(store));
  EXPECT_EQ(store[11], 2);
  EXPECT_THAT(store, HasSubstr(der_of(one).value()));
  EXPECT_THAT(store, HasSubstr(der_of(two).value()));
  EXPECT_EQ(java_store_of("")[11], 0);
}

TEST(DerOf, IsWhatStandsBetweenTheLines) {
  EXPECT_EQ(der_of("x\n-----BEGIN CERTIFICATE-----\nAAEC\r\n/w==\n-----END CERTIFICATE-----\n").value(), std::string("\x00\x01\x02\xff", 4));
  for (auto pem : {"", "-----BEGIN CERTIFICATE-----\nAAEC", "-----END CERTIFICATE----------BEGIN CERTIFICATE-----",
                   "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nA?==\n-----END CERTIFICATE-----"})
    EXPECT_FALSE(der_of(pem)) << pem;
}

/// keytool checks the digest, and reads the certificate.
TEST(JavaStore, IsReadByJava) {
  if (!std::filesystem::exists(kKeytool)) GTEST_SKIP() << "no JDK";
  test::TempDir const directory;
  auto const file = (directory / "cacerts").string();
  std::ofstream(file, std::ios::binary) << grown(empty_store(), test::TestCa().pem(), "sallyport").value();
  auto const listed = test::run_command({.argv = {kKeytool, "-list", "-v", "-keystore", file, "-storepass", "changeit"}});
  EXPECT_EQ(listed.exit_code, 0) << listed.out << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("Alias name: sallyport"));
  EXPECT_THAT(listed.out, HasSubstr("CN=Sallyport test CA"));
  std::ofstream(file, std::ios::binary) << java_store_of(test::TestCa().pem() + test::TestCa().pem());
  auto const made = test::run_command({.argv = {kKeytool, "-list", "-keystore", file, "-storepass", "changeit"}});
  EXPECT_THAT(made.out, HasSubstr("contains 2 entries")) << made.err;
}

}  // namespace
}  // namespace sallyport::jail
