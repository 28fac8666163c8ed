// Ways out through the kernel: system calls, Unix sockets, inherited descriptors, other sessions. Guests inside real jails.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SystemCall : public testing::TestWithParam<char const*> {};

TEST_P(SystemCall, IsRefused) {
  Jail jail;
  auto const outcome = jail.run({}, {jail.add_guest("system_call"), GetParam()});
  expect_guest_refused(outcome, {"EPERM", "EACCES", "ENOSYS", "EROFS", "ESRCH", "EUSERS", "ENOSPC"});
}

INSTANTIATE_TEST_SUITE_P(Namespaces, SystemCall,
                         testing::Values("unshare_user", "unshare_net", "unshare_mount", "unshare_user_net", "clone3_user",
                                         "clone3_user_net", "clone_user", "setns_net_of_init", "setns_mount_of_init",
                                         "setns_user_of_init", "setns_pidfd_of_init", "pidfd_getfd_of_init"));
INSTANTIATE_TEST_SUITE_P(Mounts, SystemCall,
                         testing::Values("mount_tmpfs", "mount_proc", "bind_root", "remount_writable", "umount_proc",
                                         "open_tree", "fsopen_tmpfs", "mount_setattr", "pivot_root", "chroot_tmp",
                                         "open_by_handle"));
INSTANTIATE_TEST_SUITE_P(Kernel, SystemCall,
                         testing::Values("io_uring", "bpf_map", "userfaultfd", "perf_event", "keyctl_session", "add_key",
                                         "request_key", "load_module", "kexec", "reboot_off", "set_host_name",
                                         "device_node", "read_kernel_log", "swap_off", "start_accounting"));
INSTANTIATE_TEST_SUITE_P(OtherProcesses, SystemCall,
                         testing::Values("ptrace_init", "write_memory_of_init", "read_memory_of_init"));

TEST(KernelEscape, NothingCanBeTypedIntoTheCallersTerminal) {
  Jail jail;
  // EPERM is the filter's answer: without it stdin, a pipe, would answer ENOTTY.
  expect_guest_refused(jail.run({}, {jail.add_guest("system_call"), "type_into_terminal"}), {"EPERM"});
}

TEST(KernelEscape, RootCannotBeHad) {
  Jail jail;
  expect_guest_refused(jail.run({}, {jail.add_guest("system_call"), "become_root"}), {"EPERM", "EINVAL"});
}

/// A Unix socket of the host that listens.
class UnixListener {
 public:
  explicit UnixListener(std::string const& name)
      : fd_(UniqueFd::adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    if (name.front() == '@') address.sun_path[0] = '\0';
    auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    if (::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd_.get(), 1) != 0) {
      throw std::system_error(errno, std::generic_category(), name);
    }
  }

 private:
  UniqueFd fd_;
};

TEST(KernelEscape, UnixSocketsOfTheHostAreOutOfReach) {
  Jail jail;
  TempDir elsewhere;
  for (std::string const& name : {"@sallyport-test-abstract-" + std::to_string(::getpid()),
                                  (jail.home() / "agent.sock").string(), (elsewhere / "docker.sock").string()}) {
    SCOPED_TRACE(name);
    UnixListener listener(name);
    expect_guest_refused(jail.run({}, {jail.add_guest("unix_peer"), name}), {"ENOENT", "ECONNREFUSED", "EPERM", "EACCES"});
  }
}

TEST(KernelEscape, DescriptorsOfTheCallerAreNotInherited) {
  Jail jail;
  TempDir outside;
  write_file(outside / "secret", "secret");
  auto const file = UniqueFd::adopt(::open((outside / "secret").c_str(), O_RDONLY), "secret").value();  // not close-on-exec
  auto const high = UniqueFd::adopt(::fcntl(file.get(), F_DUPFD, 900), "dup").value();
  auto const socket = UniqueFd::adopt(::socket(AF_INET, SOCK_STREAM, 0), "socket").value();
  expect_guest_refused(jail.run({}, {jail.add_guest("inherited_fds")}), {"EBADF"});
}

TEST(KernelEscape, ProgramWithoutAFileIsRecordedAndGetsNoFurther) {
  Jail jail;
  auto const outcome = jail.run({}, {jail.add_guest("exec_memfd"), jail.add_guest("dial"), "198.51.100.7", "443"});
  expect_guest_refused(outcome, {"ECONNRESET", "CLOSED", "ECONNREFUSED"});
  EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"verdict", "deny"}, {"host", "198.51.100.7"}}).size(),
            1u);
  auto const commands = having(outcome.records, {{"type", "command.exec"}});
  ASSERT_EQ(commands.size(), 2u) << print(commands);
  EXPECT_THAT(text_at(commands[1], "argv"), HasSubstr("198.51.100.7"));
}

/// What a proxy answers to CONNECT, by the guest's words.
JailOutcome ask_proxy(Jail const& jail, std::vector<std::string> const& options, std::string const& authority,
                      std::string const& how = "directly") {
  return jail.run(options, {jail.add_guest("ask_proxy"), "127.0.0.1", "3128", authority, how});
}

TEST(KernelEscape, RelayedConnectGetsTheSameAnswer) {
  Jail jail;
  for (std::string const how : {"directly", "relayed", "handed_over"}) {
    SCOPED_TRACE(how);
    auto const denied = ask_proxy(jail, {}, "denied.example:443", how);
    expect_guest_refused(denied, {"DENY_REPLY"});
    EXPECT_THAT(denied.out, HasSubstr("HTTP/1.1 403"));
    expect_on_record(denied,
                     {{"type", "egress.request"},
                      {"leg", "connect"},
                      {"verdict", "deny"},
                      {"reason", "no_rule"},
                      {"host", "denied.example"}},
                     "ask_proxy");
    Origin origin;
    auto const allowed = ask_proxy(jail, reach("allowed.example", 443, origin.port()), "allowed.example:443", how);
    EXPECT_THAT(allowed.out, HasSubstr("HTTP/1.1 200"));
    EXPECT_EQ(origin.connections(), 0u) << "nothing was sent in the tunnel, so nothing is dialled";
  }
}

TEST(KernelEscape, AnotherSessionsProxyIsOutOfReach) {
  Jail generous, strict;
  auto command = generous.command({"--allow", "allowed.example"}, {"sh", "-c", "echo ready; read line"});
  command.after_input = AfterInput::keep_open;
  Process first(command);
  ASSERT_TRUE(first.wait_for_output("ready", 10s));
  expect_guest_refused(ask_proxy(strict, {}, "allowed.example:443"), {"DENY_REPLY"});
  auto const from_host = run_command({.argv = {strict.add_guest("ask_proxy"), "127.0.0.1", "3128", "allowed.example:443"}});
  EXPECT_THAT(from_host.out, Not(HasSubstr("ESCAPED"))) << "the jail's proxy port is open on the host";
  EXPECT_TRUE(having(read_records(generous.audit_file()), {{"type", "egress.request"}}).empty());
}

}  // namespace
}  // namespace sallyport::test
