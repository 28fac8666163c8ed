#include "cli/audit_verify.hpp"

#include "tests/audit/sample_log.hpp"
#include "tests/cli/console_capture.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;

class AuditVerifyTest : public ::testing::Test {
 protected:
  AuditVerifyTest() : log_(audit::make_log(dir_.path(), 3)) {}

  int verify(VerifyOptions const& options) {
    return verify_audit(capture_.console(), {dir_.path().string(), (dir_ / "key").string()}, options);
  }
  int verify_without_own_key(VerifyOptions const& options) {
    return verify_audit(capture_.console(), {dir_.path().string(), (dir_ / "nowhere").string()}, options);
  }
  void damage() {
    auto lines = audit::lines_of(log_);
    lines.erase(lines.begin() + 2);
    audit::write_lines(log_, lines);
  }

  test::TempDir dir_;
  std::filesystem::path log_;
  ConsoleCapture capture_;
};

TEST_F(AuditVerifyTest, AcceptsTheNewestLogSignedByTheOwnKey) {
  EXPECT_EQ(verify({}), 0);
  EXPECT_THAT(capture_.out(), HasSubstr(": ok, 5 good records, 5 of them signed by key "));
  EXPECT_THAT(capture_.out(), HasSubstr("which is one of yours"));
}

TEST_F(AuditVerifyTest, NamesTheFirstBadRecord) {
  damage();
  EXPECT_EQ(verify({}), 1);
  EXPECT_THAT(capture_.out(),
              HasSubstr("NOT OK, removed at record 3 (line 3): record 4 stands in its place; 2 good records"));
}

TEST_F(AuditVerifyTest, DoesNotTrustAKeyThatIsNotOneOfYours) {
  EXPECT_EQ(verify_without_own_key({}), 1);
  EXPECT_THAT(capture_.out(), HasSubstr("which is not one of yours"));
}

TEST_F(AuditVerifyTest, TrustsTheKeysThatAreNamed) {
  auto const key_line = test::read_file(dir_ / "key/audit.key");
  test::write_file(dir_ / "theirs.pub", key_line.substr(0, key_line.find('\n')));
  VerifyOptions options;
  options.keys = {(dir_ / "theirs.pub").string()};
  EXPECT_EQ(verify_without_own_key(options), 0);
}

TEST_F(AuditVerifyTest, TrustsOnlyTheKeysThatAreNamed) {
  test::write_file(dir_ / "other.pub", "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n");
  VerifyOptions options;
  options.keys = {(dir_ / "other.pub").string()};
  EXPECT_EQ(verify(options), 1);
}

TEST_F(AuditVerifyTest, TakesALiveLogOnlyWhenAsked) {
  auto lines = audit::lines_of(log_);
  lines.pop_back();
  audit::write_lines(log_, lines);
  EXPECT_EQ(verify({}), 1);
  EXPECT_THAT(capture_.out(), HasSubstr("cut_off"));
  VerifyOptions live;
  live.live = true;
  EXPECT_EQ(verify(live), 0);
  EXPECT_THAT(capture_.out(), HasSubstr("4 good records, 0 of them signed"));
}

TEST_F(AuditVerifyTest, ChecksEveryFileAndFailsIfOneIsBad) {
  auto const other = audit::make_log(dir_.path(), 1, "20250101T000000Z-cccccccc");
  damage();
  VerifyOptions options;
  options.files = {log_.string(), other.string()};
  EXPECT_EQ(verify(options), 1);
  EXPECT_THAT(capture_.out(), HasSubstr(log_.string() + ": NOT OK"));
  EXPECT_THAT(capture_.out(), HasSubstr(other.string() + ": ok"));
}

TEST_F(AuditVerifyTest, TellsMachinesTheSame) {
  VerifyOptions options;
  options.json = true;
  damage();
  EXPECT_EQ(verify(options), 1);
  auto const told = boost::json::parse(capture_.out()).as_object();
  EXPECT_FALSE(told.at("ok").as_bool());
  EXPECT_TRUE(told.at("trusted").as_bool());
  EXPECT_EQ(told.at("fault").as_string(), "removed");
  EXPECT_EQ(told.at("seq").to_number<int>(), 3);
  EXPECT_EQ(told.at("line").to_number<int>(), 3);
  EXPECT_EQ(told.at("records").to_number<int>(), 2);
}

TEST_F(AuditVerifyTest, FailsOnWhatItCannotRead) {
  VerifyOptions no_file;
  no_file.files = {(dir_ / "none").string()};
  EXPECT_EQ(verify(no_file), 2);
  VerifyOptions no_key;
  no_key.keys = {log_.string()};
  EXPECT_EQ(verify(no_key), 2);
  EXPECT_THAT(capture_.err(), HasSubstr("not a key"));
}

}  // namespace
}  // namespace sallyport::cli
