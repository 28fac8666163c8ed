#include "cli/policy_watch.hpp"

#include "tests/audit/sample_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <poll.h>

#include <filesystem>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;

class PolicyWatchTest : public testing::Test {
 protected:
  PolicyWatchTest() {
    test::write_file(directory_ / "p.yaml", "version: 1\n");
    watch_.add({(directory_ / "p.yaml").string()});
  }
  bool noticed() const {
    pollfd waiting{watch_.descriptor(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
  }
  test::TempDir const directory_;
  audit::FakeClock clock_;
  PolicyWatch watch_ = PolicyWatch::make(clock_).value();
};

TEST_F(PolicyWatchTest, SettlesOnceAMomentAfterAChange) {
  EXPECT_FALSE(noticed());
  EXPECT_FALSE(watch_.settled());
  test::write_file(directory_ / "p.yaml", "version: 1\nname: x\n");
  ASSERT_TRUE(noticed());
  watch_.note();
  EXPECT_FALSE(noticed());
  EXPECT_FALSE(watch_.settled());
  EXPECT_TRUE(watch_.wait());
  clock_.advance(1s);
  EXPECT_TRUE(watch_.settled());
  EXPECT_FALSE(watch_.settled());
  EXPECT_FALSE(watch_.wait());
}

TEST_F(PolicyWatchTest, SeesAFileThatIsReplacedByRename) {
  test::TempDir const elsewhere;
  test::write_file(directory_ / "p.new", "version: 1\n");
  watch_.note();
  clock_.advance(1s);
  EXPECT_TRUE(watch_.settled());
  std::filesystem::rename(directory_ / "p.new", directory_ / "p.yaml");
  EXPECT_TRUE(noticed());
}

}  // namespace
}  // namespace sallyport::cli
