#include "jail/mounts.hpp"

#include "jail/privileges.hpp"
#include "tests/jail/forked.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>

namespace sallyport::jail {
namespace {

using Kind = MountStep::Kind;

/// Builds a root from `steps` in new user and mount namespaces, enters it, and runs `body` there.
void in_new_root(std::vector<MountStep> steps, std::function<void()> const& body) {
  isolated([&] {
    Plan plan;
    plan.identity = {::geteuid(), ::getegid(), false};
    plan.mounts = steps;
    ChildInput input{plan, -1, -1, {}, {}, {}, {}};
    std::snprintf(input.uid_map, sizeof input.uid_map, "%u %u 1", plan.identity.uid, plan.identity.uid);
    std::snprintf(input.gid_map, sizeof input.gid_map, "%u %u 1", plan.identity.gid, plan.identity.gid);
    ASSERT_EQ(::unshare(CLONE_NEWUSER | CLONE_NEWNS), 0);
    ASSERT_EQ(write_id_maps(input), 0);
    ASSERT_EQ(make_mounts_private(), 0);
    ASSERT_EQ(begin_new_root(), 0);
    std::int32_t failed = -1;
    ASSERT_EQ(apply_mounts(plan, failed), 0) << "step " << failed;
    ASSERT_EQ(enter_new_root(), 0);
    body();
  });
}

MountStep directory(std::string target) { return {Kind::directory, "", std::move(target), "", {}, 0755, -1}; }
MountStep bind(std::string source, std::string target, Access access) {
  return {Kind::bind, std::move(source), std::move(target), "", access, 0, -1};
}

int error_of_writing(char const* path) {
  int const fd = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}
mode_t mode_of(char const* path) {
  struct stat info {};
  EXPECT_EQ(::lstat(path, &info), 0) << path;
  return info.st_mode & 07777;
}
bool is_there(char const* path) { return ::access(path, F_OK) == 0; }

TEST(Mounts, TheNewRootHoldsWhatIsInThePlanAndNothingElse) {
  in_new_root(
      {directory("one"), {Kind::symlink, "one", "two", "", {}, 0, -1}, {Kind::file, "", "three", "text", {}, 0444, -1}},
      [] {
        EXPECT_TRUE(is_there("/one"));
        EXPECT_EQ(std::filesystem::read_symlink("/two"), "one");
        EXPECT_EQ(test::read_file("/three"), "text");
        EXPECT_EQ(mode_of("/three"), 0444U);
        EXPECT_FALSE(is_there("/usr"));
        EXPECT_FALSE(is_there("/proc"));
        EXPECT_EQ(error_of_writing("/new"), EROFS);
      });
}

TEST(Mounts, AFileIsMadeOfTextAndBytesOfTheHosts) {
  test::TempDir const host;
  auto const source = (host / "source").string();
  test::write_file(source, "0123456789" + std::string(300'000, 'x') + "end");
  MountStep whole{Kind::file, "", "whole", "<", {}, 0444, -1, {source, 2, 300'011}, ">"};
  MountStep part{Kind::file, "", "part", "<", {}, 0444, -1, {source, 2, 3}, ">"};
  in_new_root({whole, part}, [] {
    EXPECT_EQ(test::read_file("/part"), "<234>");
    EXPECT_EQ(test::read_file("/whole"), "<23456789" + std::string(300'000, 'x') + "end>");
  });
}

TEST(Mounts, AFileThatBecameShorterIsAnError) {
  test::TempDir const host;
  auto const source = (host / "source").string();
  test::write_file(source, "123");
  isolated([&] {
    Plan plan;
    plan.mounts = {{Kind::file, "", (host / "made").string(), "", {}, 0444, -1, {source, 0, 4}, ""}};
    std::int32_t failed = -1;
    EXPECT_EQ(apply_mounts(plan, failed), ENODATA);
    EXPECT_EQ(failed, 0);
  });
}

TEST(Mounts, BindsAreWritableOnlyWhereThePlanSaysSo) {
  test::TempDir const host;
  in_new_root({directory("ro"), directory("rw"), bind(host.path(), "ro", Access::read_only),
               bind(host.path(), "rw", Access::read_write)},
              [] {
                EXPECT_EQ(error_of_writing("/ro/file"), EROFS);
                EXPECT_EQ(error_of_writing("/rw/file"), 0);
                EXPECT_TRUE(is_there("/ro/file"));
              });
  EXPECT_TRUE(std::filesystem::exists(host / "file"));
}

TEST(Mounts, PrivatePlacesHaveTheirMode) {
  in_new_root({directory("tmp"), {Kind::tmpfs, "", "tmp", "", {}, 01777, -1}}, [] {
    EXPECT_EQ(mode_of("/tmp"), 01777U);
    EXPECT_EQ(error_of_writing("/tmp/file"), 0);
  });
}

TEST(Mounts, WhatIsHiddenIsEmpty) {
  test::TempDir const host;
  std::filesystem::create_directory(host / "keys");
  test::write_file(host / "keys/id", "secret");
  test::write_file(host / "token", "secret");
  in_new_root({directory("home"),
               bind(host.path(), "home", Access::read_write),
               {Kind::hide_directory, "", "home/keys", "", {}, 0, -1},
               {Kind::hide_file, "/dev/null", "home/token", "", {}, 0, -1},
               {Kind::hide_directory, "", "home/absent", "", {}, 0, -1},
               {Kind::hide_file, "/dev/null", "home/gone", "", {}, 0, -1}},
              [] {
                EXPECT_TRUE(is_there("/home/keys"));
                EXPECT_FALSE(is_there("/home/keys/id"));
                EXPECT_EQ(error_of_writing("/home/keys/new"), EROFS);
                int const fd = ::open("/home/token", O_RDONLY | O_CLOEXEC);
                char byte = 0;
                EXPECT_LE(::read(fd, &byte, 1), 0);
                ::close(fd);
              });
}

TEST(Mounts, DevicesAreDevicesAndOtherMountsHoldNone) {
  in_new_root({directory("dev"),
               {Kind::file, "", "dev/null", "", {}, 0644, -1},
               {Kind::device, "/dev/null", "dev/null", "", {}, 0, -1},
               {Kind::file, "", "plain", "", {}, 0644, -1},
               bind("/dev/null", "plain", Access::read_write)},
              [] {
                EXPECT_EQ(error_of_writing("/dev/null"), 0);
                EXPECT_EQ(error_of_writing("/plain"), EACCES);  // mounted with nodev
              });
}

TEST(Mounts, AFrozenPlaceTakesNoMoreFilesAndThoseBelowItDo) {
  in_new_root({directory("dev"),
               {Kind::tmpfs, "", "dev", "", {}, 0755, -1},
               directory("dev/shm"),
               {Kind::tmpfs, "", "dev/shm", "", {}, 01777, -1},
               {Kind::freeze, "", "dev", "", {}, 0, -1}},
              [] {
                EXPECT_EQ(error_of_writing("/dev/file"), EROFS);
                EXPECT_EQ(error_of_writing("/dev/shm/file"), 0);
              });
}

TEST(Mounts, TheStepThatFailsIsNamed) {
  isolated([] {
    Plan plan;
    plan.mounts = {directory("one"), directory("two/three")};
    ASSERT_EQ(::chdir(test::TempDir().path().c_str()), 0);  // removed again: nothing can be made there
    std::int32_t failed = -1;
    EXPECT_EQ(apply_mounts(plan, failed), ENOENT);
    EXPECT_EQ(failed, 0);
  });
}

TEST(Mounts, AFileIsNotWrittenThroughALink) {
  test::TempDir const place;
  isolated([&] {
    ASSERT_EQ(::chdir(place.path().c_str()), 0);
    ASSERT_EQ(::symlink("elsewhere", "link"), 0);
    Plan plan;
    plan.mounts = {{Kind::file, "", "link", "text", {}, 0644, -1}};
    std::int32_t failed = -1;
    EXPECT_EQ(apply_mounts(plan, failed), EEXIST);
  });
  EXPECT_FALSE(std::filesystem::exists(place / "elsewhere"));
}

}  // namespace
}  // namespace sallyport::jail
