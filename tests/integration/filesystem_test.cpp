// What the jail sees and changes of the host's files, tried with ordinary shell commands inside real jails.

#include "tests/integration/refusals.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kSecret[] = "s3cret-of-the-host";

/// What a shell script in the jail prints, errors included; the script's own failures do not end it.
std::string shell(Jail const& jail, std::string const& script) {
  return jail.run({}, {"sh", "-c", "exec 2>&1\n" + script}).out;
}

TEST(Filesystem, SystemIsReadOnly) {
  Jail jail;
  for (std::string const directory : {"/", "/usr", "/usr/bin", "/bin", "/lib", "/etc", "/proc", "/proc/sys/kernel"}) {
    EXPECT_THAT(shell(jail, "touch " + directory + "/sallyport-test && echo WRITTEN"), Not(HasSubstr("WRITTEN")))
        << directory;
    EXPECT_FALSE(fs::exists(directory + "/sallyport-test")) << directory;
  }
  for (std::string const file :
       {"/etc/passwd", "/etc/ld.so.preload", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"}) {
    EXPECT_THAT(shell(jail, ": >> " + file + " && echo WRITTEN"), Not(HasSubstr("WRITTEN"))) << file;
  }
}

TEST(Filesystem, TemporaryDirectoriesArePrivate) {
  Jail jail;
  TempDir on_host;
  write_file(on_host / "file", kSecret);
  for (std::string const directory : {"/tmp", "/var/tmp", "/dev/shm"}) {
    SCOPED_TRACE(directory);
    auto const name = directory + "/sallyport-test-private-" + std::to_string(::getpid());
    EXPECT_EQ(shell(jail, "echo inside > " + name + " && cat " + name), "inside\n");
    EXPECT_FALSE(fs::exists(name));
  }
  EXPECT_THAT(shell(jail, "cat " + (on_host / "file").string()), Not(HasSubstr(kSecret)));
}

TEST(Filesystem, CredentialsUnderTheHomeAreNotThereByAnyPath) {
  Jail jail;
  for (std::string const name :
       {".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json", ".npmrc", ".pypirc", ".netrc",
        ".kube/config", ".git-credentials", ".cargo/credentials.toml"}) {
    auto const file = jail.home() / name;
    fs::create_directories(file.parent_path());
    write_file(file, kSecret);
    auto const path = file.string();
    fs::remove(jail.workspace() / "link");
    fs::create_symlink(file, jail.workspace() / "link");
    auto const seen = shell(jail, "cat " + path + "; cat link; cat /proc/self/root" + path + "; cat /proc/1/root" + path +
                                      "; cat /proc/self/cwd/../home/" + name + "; ln " + path + " hard && cat hard");
    EXPECT_THAT(seen, Not(HasSubstr(kSecret))) << name;
    EXPECT_THAT(seen, HasSubstr("No such file")) << name;
  }
}

TEST(Filesystem, FilesOnlyRootMayReadStayUnreadable) {
  Jail jail;
  EXPECT_THAT(shell(jail, "cat /etc/shadow; id -u"), AllOf(HasSubstr("Permission denied"), Not(HasSubstr("root:"))));
  EXPECT_NE(shell(jail, "id -u"), "0\n");
}

TEST(Filesystem, WhatTheSupervisorHoldsIsNotThere) {
  Jail jail;
  auto const seen = shell(jail, "cat " + jail.policy_file().string() + " " + jail.audit_file().string() + "; ls -a ..");
  EXPECT_THAT(seen, Not(HasSubstr("session.start")));
  EXPECT_THAT(seen, Not(HasSubstr("version: 1")));
  EXPECT_THAT(seen, Not(HasSubstr("audit.jsonl\n")));
}

TEST(Filesystem, PlacesWithSocketsAndMediaAreEmpty) {
  Jail jail;
  EXPECT_EQ(shell(jail, "for d in /run /var/run /mnt /media /srv /boot /sys /root /home; do ls -A $d 2>/dev/null; done"),
            "");
}

TEST(Filesystem, DevicesAreAFewHarmlessOnes) {
  Jail jail;
  EXPECT_EQ(shell(jail, "cd /dev && find . ! -type d ! -type l ! -path './pts/*' | sort | tr '\\n' ' '"),
            "./full ./null ./random ./tty ./urandom ./zero ");
  EXPECT_EQ(shell(jail, "echo x > /dev/null && head -c 2 /dev/zero | wc -c"), "2\n");
}

TEST(Filesystem, PathEntriesUnderTheHomeAreVisibleReadOnly) {
  Jail jail;
  auto const bin = jail.home() / ".local/bin";
  fs::create_directories(bin);
  write_file(bin / "tool", "#!/bin/sh\necho tool runs\n");
  fs::permissions(bin / "tool", fs::perms(0755));
  write_file(jail.home() / ".local/token", kSecret);
  auto command = jail.command(
      {}, {"sh", "-c",
           "tool; echo x >> " + (bin / "tool").string() + "; touch " + (bin / "new").string() + "; ls -A ~ ~/.local"});
  command.environment = {"PATH=" + bin.string() + ":/usr/bin:/bin", "HOME=" + jail.home().string()};
  auto const outcome = jail.run(std::move(command));
  EXPECT_THAT(outcome.out, HasSubstr("tool runs\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("token")));
  EXPECT_EQ(read_file(bin / "tool"), "#!/bin/sh\necho tool runs\n");
  EXPECT_FALSE(fs::exists(bin / "new"));
}

TEST(Filesystem, WorkspaceIsWritableAndItsFilesBelongToItsOwner) {
  Jail jail;
  EXPECT_EQ(shell(jail, "mkdir -p a/b && echo made > a/b/file && cat a/b/file"), "made\n");
  EXPECT_EQ(read_file(jail.workspace() / "a/b/file"), "made\n");
  struct stat workspace {
  }, file{};
  ::stat(jail.workspace().c_str(), &workspace);
  ::stat((jail.workspace() / "a/b/file").c_str(), &file);
  EXPECT_EQ(file.st_uid, workspace.st_uid);
  EXPECT_EQ(file.st_gid, workspace.st_gid);
}

TEST(Filesystem, WorkspaceUnderTheHomeShowsNothingBesideIt) {
  Jail jail;
  auto const project = jail.home() / "src/project";
  fs::create_directories(project);
  write_file(jail.home() / "src/other", kSecret);
  write_file(project / "file", "mine\n");
  if (::geteuid() == 0) { ASSERT_EQ(::chown(project.c_str(), Jail::kOwner, Jail::kOwner), 0); }
  auto const outcome =
      jail.run({"--workspace", project.string()}, {"sh", "-c", "cd " + project.string() + " && cat file; ls -A ~ ~/src"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("mine\n"), HasSubstr("src"), HasSubstr("project"), Not(HasSubstr("other"))))
      << outcome.err;
}

TEST(Filesystem, PolicyMayMakeTheWorkspaceReadOnlyAndHideOrShowPaths) {
  Jail jail;
  TempDir shown;
  write_file(shown / "data", "data\n");
  write_file(jail.workspace() / "hidden", kSecret);
  jail.set_policy("version: 1\nname: test\njail:\n  filesystem:\n    workspace: ro\n    read: [" + shown.path().string() +
                  "]\n    hide: [" + (jail.workspace() / "hidden").string() + "]\n");
  auto const seen =
      shell(jail, "cat " + (shown / "data").string() + "; cat hidden; touch new; echo x > " + (shown / "data").string());
  EXPECT_THAT(seen, AllOf(HasSubstr("data\n"), Not(HasSubstr(kSecret))));
  EXPECT_FALSE(fs::exists(jail.workspace() / "new"));
  EXPECT_EQ(read_file(shown / "data"), "data\n");
}

TEST(Filesystem, HardLinksCannotBringHostFilesIntoTheWorkspace) {
  Jail jail;
  EXPECT_THAT(shell(jail, "ln /etc/passwd stolen && echo LINKED"), Not(HasSubstr("LINKED")));
  EXPECT_FALSE(fs::exists(jail.workspace() / "stolen"));
}

TEST(Filesystem, OnlyProcessesOfTheJailAreInProc) {
  Jail jail;
  auto const pids = shell(jail, "echo /proc/[0-9]* | wc -w");
  EXPECT_LE(std::stoi(pids), 4) << "init, the shell, and what it started";
}

TEST(Filesystem, InitGivesNothingAway) {
  Jail jail;
  for (std::string const entry : {"environ", "maps", "mem", "auxv", "stack", "syscall"}) {
    EXPECT_THAT(shell(jail, "cat /proc/1/" + entry + " > copy && echo READ"), Not(HasSubstr("READ"))) << entry;
  }
  for (std::string const entry : {"exe", "cwd", "root", "ns/net"}) {
    EXPECT_THAT(shell(jail, "readlink /proc/1/" + entry + " && echo READ"), Not(HasSubstr("READ"))) << entry;
  }
  EXPECT_THAT(shell(jail, "ls /proc/1/fd /proc/1/root && echo READ"), Not(HasSubstr("READ")));
  EXPECT_THAT(shell(jail, "cat /proc/1/cmdline"), Not(HasSubstr(jail.policy_file().string())));
}

TEST(Filesystem, KernelMemoryAndLogsAreUnreadable) {
  Jail jail;
  for (std::string const file :
       {"/proc/kcore", "/dev/mem", "/dev/kmsg", "/proc/kmsg", "/sys/kernel/debug", "/dev/kvm", "/dev/fuse"}) {
    EXPECT_THAT(shell(jail, "head -c 1 " + file + " && echo READ"), Not(HasSubstr("READ"))) << file;
  }
}

class SetUserId : public testing::TestWithParam<char const*> {};

TEST_P(SetUserId, FileCannotBeMade) {
  Jail jail;
  auto const outcome = jail.run({}, {jail.add_guest("make_setuid"), GetParam(), "file"});
  expect_guest_refused(outcome, {"EPERM", "ENOSYS"});
}

INSTANTIATE_TEST_SUITE_P(EveryWay, SetUserId,
                         testing::Values("chmod", "fchmod", "fchmodat", "fchmodat2", "setgid", "creat", "open", "openat",
                                         "openat2", "mknod", "mknodat"));

TEST(Filesystem, SetUserIdProgramsOfTheHostGiveNothing) {
  Jail jail;
  EXPECT_THAT(shell(jail, "grep -h NoNewPrivs /proc/self/status"), HasSubstr("1"));
  EXPECT_NE(jail.run({}, {"su", "-c", "id"}).exit_code, 0);
}

}  // namespace
}  // namespace sallyport::test
