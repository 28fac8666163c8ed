#include "audit/file_sink.hpp"

#include "audit/verify.hpp"
#include "base/limits.hpp"
#include "tests/audit/sample_log.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <filesystem>
#include <functional>

namespace sallyport::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FileSinkTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<FileSink>> open() {
    return FileSink::open({path_.string(), (dir_ / "key").string(), std::string(kSampleSession)}, clock_);
  }
  /// A sink whose session.start is in the file.
  std::unique_ptr<FileSink> started() {
    auto sink = open().value();
    sink->append(sample_start()).value();
    sink->commit().value();
    return sink;
  }

  test::TempDir dir_;
  fs::path path_ = dir_ / "logs/s.jsonl";
  FakeClock clock_;
};

/// The failure stays: nothing more is taken, whatever is done to the file.
void expect_failed_for_good(FileSink& sink, Error const& error) {
  EXPECT_EQ(sink.append(sample_request()).error(), error);
  EXPECT_EQ(sink.commit().error(), error);
  EXPECT_EQ(sink.tick().error(), error);
}

TEST_F(FileSinkTest, CreatesAPrivateFileInAPrivateDirectory) {
  auto const sink = started();
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(path_.parent_path()).permissions(), fs::perms(0700));
  EXPECT_EQ(sink->path(), path_);
}

TEST_F(FileSinkTest, NeverContinuesAnExistingFileOrFollowsALink) {
  fs::create_directory(path_.parent_path());
  test::write_file(path_, "");
  EXPECT_EQ(open().error().os_errno, EEXIST);
  fs::remove(path_);
  fs::create_symlink(dir_ / "elsewhere", path_);
  EXPECT_EQ(open().error().os_errno, EEXIST);
  EXPECT_FALSE(fs::exists(dir_ / "elsewhere"));
}

TEST_F(FileSinkTest, DoesNotOpenWithoutAKey) {
  fs::create_directory(dir_ / "key");
  test::write_file(dir_ / "key/audit.key", "broken");
  EXPECT_FALSE(open());
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(FileSinkTest, WritesAGroupAtCommitAndNotBefore) {
  auto const sink = started();
  auto const before = fs::file_size(path_);
  EXPECT_EQ(sink->append(sample_request()).value(), 2U);
  EXPECT_EQ(sink->append(sample_request()).value(), 3U);
  EXPECT_EQ(fs::file_size(path_), before);
  ASSERT_TRUE(sink->commit());
  EXPECT_EQ(lines_of(path_).size(), 3U);
}

TEST_F(FileSinkTest, WritesLogsThatVerify) {
  auto const log = make_log(dir_.path(), 600);
  auto const verified = verify_file(log.string(), Expect::ended).value();
  EXPECT_FALSE(verified.problem) << verified.problem->what;
  EXPECT_EQ(verified.records, 600U + 2 + 2);  // and two checkpoints
}

TEST_F(FileSinkTest, SignsACheckpointWhenEnoughRecordsHaveGathered) {
  auto const sink = started();
  for (std::size_t i = 2; i < limits::kCheckpointRecords; ++i) ASSERT_TRUE(sink->append(sample_request()));
  ASSERT_TRUE(sink->commit());
  auto const lines = lines_of(path_);
  ASSERT_EQ(lines.size(), limits::kCheckpointRecords);
  EXPECT_THAT(lines.back(), HasSubstr(R"("type":"audit.checkpoint")"));
  EXPECT_EQ(sink->append(sample_request()).value(), limits::kCheckpointRecords + 1);
}

TEST_F(FileSinkTest, SignsACheckpointWhenRecordsHaveWaitedForOne) {
  auto const sink = started();
  clock_.advance(limits::kCheckpointInterval - std::chrono::milliseconds(1));
  ASSERT_TRUE(sink->tick());
  EXPECT_EQ(lines_of(path_).size(), 1U);
  clock_.advance(std::chrono::milliseconds(1));
  ASSERT_TRUE(sink->tick());
  EXPECT_EQ(lines_of(path_).size(), 2U);
  clock_.advance(limits::kCheckpointInterval);
  ASSERT_TRUE(sink->tick());
  EXPECT_EQ(lines_of(path_).size(), 2U);  // nothing new to sign
}

TEST_F(FileSinkTest, EndsWithTheCounts) {
  auto const sink = started();
  ASSERT_TRUE(sink->append(sample_request("deny")));
  ASSERT_TRUE(sink->append(SessionEnd{}));
  ASSERT_TRUE(sink->commit());
  EXPECT_EQ(sink->tally().requests_denied, 1U);
  EXPECT_THAT(lines_of(path_).back(), HasSubstr(R"("counts":{"denied":1,"egress.request":1,"session.start":1})"));
  EXPECT_TRUE(sink->tick());
  auto const late = sink->append(sample_request());
  ASSERT_FALSE(late);
  expect_failed_for_good(*sink, late.error());
}

TEST_F(FileSinkTest, FailsWhenTheFileHasBeenRemoved) {
  auto const sink = started();
  fs::remove(path_);
  ASSERT_TRUE(sink->append(sample_request()));
  auto const committed = sink->commit();
  ASSERT_FALSE(committed);
  EXPECT_THAT(committed.error().what, HasSubstr("was removed"));
  expect_failed_for_good(*sink, committed.error());
}

TEST_F(FileSinkTest, FailsWhenTheFileHasBeenReplaced) {
  auto const sink = started();
  fs::create_hard_link(path_, dir_ / "kept");
  fs::copy_file(path_, dir_ / "copy");
  fs::rename(dir_ / "copy", path_);
  auto const ticked = sink->tick();
  ASSERT_FALSE(ticked);
  EXPECT_THAT(ticked.error().what, HasSubstr("was replaced"));
  expect_failed_for_good(*sink, ticked.error());
}

TEST_F(FileSinkTest, FailsWhenTheFileHasBeenMovedAway) {
  auto const sink = started();
  fs::rename(path_, dir_ / "moved");
  EXPECT_THAT(sink->tick().error().what, HasSubstr("removed or renamed"));
}

TEST_F(FileSinkTest, FailsWhenOthersHaveChangedItsLength) {
  for (auto const& change : {std::function<void()>([&] { fs::resize_file(path_, 10); }),
                             std::function<void()>([&] { test::write_file(path_, std::string(5000, 'x')); })}) {
    auto const sink = started();
    change();
    ASSERT_TRUE(sink->append(sample_request()));
    EXPECT_THAT(sink->commit().error().what, HasSubstr("changed by others"));
    fs::remove(path_);
  }
}

TEST_F(FileSinkTest, FailsWithoutASignalAtTheFileSizeLimit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto low = before;
  low.rlim_cur = 2000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  auto const sink = started();
  Result<void> committed;
  std::uint64_t good = 0;
  for (int i = 0; i < 10 && committed; ++i) {
    good = fs::file_size(path_);
    ASSERT_TRUE(sink->append(sample_request()));
    committed = sink->commit();
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().os_errno, EFBIG);
  EXPECT_EQ(fs::file_size(path_), good);
  expect_failed_for_good(*sink, committed.error());
}

constexpr int kFailedAsItShould = 0;
constexpr int kNoMount = 77;
constexpr std::size_t kDiskBytes = 64 * 1024;

/// Root needs only a mount namespace; anybody else a user namespace around it, in which they keep their ids.
bool enter_mount_namespace() {
  if (::geteuid() == 0) return ::unshare(CLONE_NEWNS) == 0;
  auto const uid = std::to_string(::geteuid());
  auto const gid = std::to_string(::getegid());
  if (::unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0) return false;
  test::write_file("/proc/self/setgroups", "deny");
  test::write_file("/proc/self/uid_map", uid + " " + uid + " 1");
  test::write_file("/proc/self/gid_map", gid + " " + gid + " 1");
  return true;
}

/// In a process of its own: fills a file system of 64 KiB with records. Exit status: one of the above, or the step that
/// went wrong.
[[noreturn]] void fill_a_small_disk(fs::path const& disk, fs::path const& key_dir) {
  if (!enter_mount_namespace()) ::_exit(kNoMount);
  if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(kNoMount);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) ::_exit(kNoMount);
  FakeClock clock;
  auto const path = disk / "s.jsonl";
  auto const sink = FileSink::open({path.string(), key_dir.string(), std::string(kSampleSession)}, clock);
  if (!sink || !(*sink)->append(sample_start())) ::_exit(1);
  Result<void> committed;
  for (std::size_t i = 0; i < kDiskBytes && committed; ++i) {
    for (int record = 0; record < 20; ++record) {
      if (!(*sink)->append(sample_request())) ::_exit(2);
    }
    committed = (*sink)->commit();
  }
  if (committed || committed.error().os_errno != ENOSPC) ::_exit(3);
  if ((*sink)->append(sample_request()) || (*sink)->commit()) ::_exit(4);
  auto const verified = verify_file(path.string(), Expect::live);  // whole groups only
  if (!verified || verified->problem || verified->records < 20) ::_exit(5);
  ::_exit(kFailedAsItShould);
}

TEST_F(FileSinkTest, FailsOnAFullDiskAndLeavesWholeRecordsOnly) {
  fs::create_directory(dir_ / "disk");
  auto const key_dir = (dir_ / "key");
  ASSERT_TRUE(load_or_create_key(key_dir.string()));
  auto const child = ::fork();
  if (child == 0) fill_a_small_disk(dir_ / "disk", key_dir);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "no namespace to mount a small disk in";
  EXPECT_EQ(WEXITSTATUS(status), kFailedAsItShould);
}

}  // namespace
}  // namespace sallyport::audit
