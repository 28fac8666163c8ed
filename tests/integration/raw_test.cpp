// `inspect: raw`: what is neither HTTP nor TLS, with real programs on both sides. The server may speak first (SSH) or wait (PostgreSQL); the
// client knows the name only, and the gateway knows it from the name's synthetic address.

#include "tests/integration/refusals.hpp"

#include <gmock/gmock.h>

#include <pwd.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr char kRawPolicy[] =
    "version: 1\nname: raw\negress:\n"
    "  - {name: ssh, hosts: [git.example], ports: [22], inspect: raw}\n"
    "  - {name: database, hosts: [db.example], ports: [5432], inspect: raw}\n";

/// An unused port of loopback.
unsigned some_port() {
  auto const outcome = run_command({.argv = {"/usr/bin/python3", "-c", "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])"}});
  return static_cast<unsigned>(std::stoul(outcome.out));
}

class Raw : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() == 0) GTEST_SKIP() << "ssh and postgres want an ordinary user who has a name";
    jail_.set_policy(kRawPolicy);
  }
  static void prepare(std::string const& script) {
    auto const outcome = run_command({.argv = {"sh", "-ec", script}, .timeout = 60s});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
  }
  void expect_tunnels(JailOutcome const& outcome, std::size_t count, std::string const& host, std::string const& rule) const {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << print(outcome.records);
    expect_recorded(outcome, {{"type", "egress.request"}, {"leg", "transparent"}, {"host", host}, {"verdict", "allow"}, {"rule", rule}});
    EXPECT_EQ(having(outcome.records, {{"type", "egress.tunnel"}, {"phase", "close"}}).size(), count) << print(outcome.records);
  }

  Jail jail_;
  TempDir const servers_;
};

TEST_F(Raw, GitClonesAndPushesOverSsh) {
  if (::access("/usr/sbin/sshd", X_OK) != 0) GTEST_SKIP() << "no openssh-server";
  auto const port = some_port();
  auto const at = servers_.path().string();
  std::string const user = ::getpwuid(::getuid())->pw_name;
  prepare("cd " + at + "; ssh-keygen -q -t ed25519 -N '' -f host; ssh-keygen -q -t ed25519 -N '' -f " + jail_.workspace().string() + "/key; cp " +
          jail_.workspace().string() + "/key.pub authorized; git init -q --bare -b main demo.git; git init -q -b main d; echo hi > d/file; git -C d add file; "
          "git -C d -c user.name=a -c user.email=a@b commit -qm one; git -C d push -q ../demo.git main");
  Process sshd({.argv = {"/usr/sbin/sshd", "-D", "-e", "-f", "/dev/null", "-p", std::to_string(port), "-h", at + "/host", "-o", "ListenAddress=127.0.0.1", "-o", "PidFile=none",
                         "-o", "StrictModes=no", "-o", "AuthorizedKeysFile=" + at + "/authorized"}});
  auto const clone = "export GIT_SSH_COMMAND=\"ssh -F /dev/null -i $PWD/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$PWD/hosts -o ConnectionAttempts=20\"; "
                     "git clone -q " + user + "@git.example:" + at + "/demo.git clone && cat clone/file && cd clone && echo more > file && "
                     "git -c user.name=a -c user.email=a@b commit -qam two && git push -q origin main";
  auto const outcome = jail_.run(pin("git.example", 22, port), {"sh", "-ec", clone});
  EXPECT_EQ(outcome.out, "hi\n") << outcome.err;
  expect_tunnels(outcome, 2, "git.example", "ssh");
  EXPECT_EQ(run_command({.argv = {"git", "-C", at + "/demo.git", "show", "main:file"}}).out, "more\n");
}

TEST_F(Raw, PostgresAnswersWhoKnowsItsName) {
  std::string const bin = "/usr/lib/postgresql/15/bin/";
  if (!fs::exists(bin + "postgres")) GTEST_SKIP() << "no postgresql";
  auto const port = some_port();
  auto const at = servers_.path().string();
  prepare(bin + "initdb -D " + at + "/data -A trust -U tester --no-sync");
  Process postgres({.argv = {bin + "postgres", "-D", at + "/data", "-p", std::to_string(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=" + at, "-F"}});
  prepare("for i in $(seq 200); do " + bin + "pg_isready -q -h 127.0.0.1 -p " + std::to_string(port) + " && exit 0; sleep 0.1; done; exit 1");
  auto const ask = [&](std::string const& host) {
    return jail_.run(pin("db.example", 5432, port), {bin + "psql", "-h", host, "-U", "tester", "-d", "postgres", "-Atc", "select 6 * 7"});
  };
  auto const outcome = ask("db.example");
  EXPECT_EQ(outcome.out, "42\n");
  expect_tunnels(outcome, 1, "db.example", "database");
  auto const other = ask("other.example");
  EXPECT_NE(other.exit_code, 0);
  expect_recorded(other, {{"type", "dns.query"}, {"name", "other.example"}, {"verdict", "deny"}});
}

}  // namespace
}  // namespace sallyport::test
