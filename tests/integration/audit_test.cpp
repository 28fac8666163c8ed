// The audit log of a real session: every attempt is in it, with the process and the commands that led to it, and the log
// shows when it was changed.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

/// One jail that tries everything, a line a try.
class RefusedAttempts : public testing::Test {
 protected:
  RefusedAttempts() {
    for (auto const* guest : {"datagram", "dial", "make_socket"}) jail_.add_guest(guest);
    auto const script =
        "curl -sS https://example.com\n"
        "curl -sS --noproxy '*' https://198.51.100.7\n"
        "getent hosts example.com\n"
        "./datagram 198.51.100.8 4000\n"
        "./dial 2001:db8::7 443\n"
        "./make_socket raw_icmp\n"
        "curl -sS --noproxy '*' http://127.0.0.1:" +
        std::to_string(service_.port()) +
        "/hello\n"
        "ping -c 1 -W 1 198.51.100.9\n"
        "exit 0\n";
    outcome_ = jail_.run({}, {"sh", "-c", script});
  }

  void on_record(Wanted wanted, std::string const& program) {
    expect_on_record(outcome_, wanted, program);
    for (auto const& record : having(outcome_.records, wanted)) {
      auto const chain = command_chain(outcome_.records, record);
      ASSERT_EQ(chain.size(), 2u) << print({record});
      EXPECT_THAT(chain.front(), HasSubstr("sh -c"));
    }
  }

  Origin service_;
  Jail jail_;
  JailOutcome outcome_;
};

TEST_F(RefusedAttempts, AreAllOnRecordWithProcessAndChain) {
  EXPECT_LT(outcome_.duration, 10s);
  on_record(
      {{"type", "egress.request"}, {"leg", "connect"}, {"verdict", "deny"}, {"reason", "no_rule"}, {"host", "example.com"}},
      "curl");
  on_record({{"type", "egress.request"},
             {"leg", "transparent"},
             {"verdict", "deny"},
             {"reason", "ip_literal"},
             {"host", "198.51.100.7"}},
            "curl");
  on_record({{"type", "dns.query"}, {"verdict", "deny"}, {"name", "example.com"}, {"rcode", "NXDOMAIN"}}, "getent");
  on_record({{"type", "egress.request"},
             {"leg", "packet"},
             {"reason", "udp_not_allowed"},
             {"host", "198.51.100.8"},
             {"port", "4000"}},
            "datagram");
  on_record({{"type", "egress.request"}, {"reason", "ip_literal"}, {"host", "2001:db8::7"}}, "dial");
  on_record({{"type", "egress.request"},
             {"leg", "packet"},
             {"reason", "host_loopback"},
             {"port", std::to_string(service_.port())}},
            "curl");
  EXPECT_EQ(service_.connections(), 0u);
}

TEST_F(RefusedAttempts, IncludeSocketsThatWereNeverMade) {
  auto const refused =
      having(outcome_.records, {{"type", "egress.request"}, {"leg", "syscall"}, {"reason", "protocol_not_allowed"}});
  std::vector<std::string> programs;
  for (auto const& record : refused) {
    auto const exe = text_at(record, "process.exe");
    programs.push_back(exe.substr(exe.rfind('/') + 1));
  }
  EXPECT_THAT(programs, testing::Contains("make_socket")) << print(refused);
  if (run_command({{"sh", "-c", "command -v ping"}}).exit_code == 0) {
    EXPECT_THAT(programs, testing::Contains("ping")) << print(refused);
  }
}

TEST_F(RefusedAttempts, AreCountedInTheLastRecordAndNamedInOneLine) {
  ASSERT_FALSE(outcome_.records.empty());
  auto const& last = outcome_.records.back();
  EXPECT_EQ(text_at(last, "type"), "session.end");
  EXPECT_GE(std::stoi(text_at(last, "counts.denied")), 6);
  EXPECT_THAT(outcome_.err, HasSubstr("example.com"));
  EXPECT_THAT(outcome_.err, HasSubstr("sallyport audit show"));
}

TEST_F(RefusedAttempts, LeaveALogThatVerifies) {
  auto const verified = jail_.sallyport({"audit", "verify", jail_.audit_file()});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("ok"));
}

TEST(AuditLog, HasEveryCommandWithItsParent) {
  Jail jail;
  auto const outcome = jail.run({}, {"sh", "-c", "/bin/true; sh -c '/bin/echo deep; exit 3'; exit 0"});
  std::vector<std::string> commands;
  for (auto const& record : having(outcome.records, {{"type", "command.exec"}})) {
    auto const& argv = record.at("argv").as_array();
    commands.push_back(std::string(argv[0].as_string()));
    bool const ended = text_at(record, "mismatch").find("ended before") != std::string::npos;  // /bin/true can be that fast
    EXPECT_TRUE(text_at(record, "verified") == "true" || ended) << print({record});
    EXPECT_EQ(text_at(record, "cwd"), jail.workspace().string());
  }
  EXPECT_THAT(commands, ElementsAre("sh", "/bin/true", "sh", "/bin/echo")) << print(outcome.records);
  EXPECT_EQ(having(outcome.records, {{"type", "command.exit"}}).size(), 4u) << print(outcome.records);
}

TEST(AuditLog, IsWellFormedWhateverTheCommandPutsIntoIt) {
  Jail jail;
  auto const outcome =
      jail.run({}, {"sh", "-c", "/bin/echo \"$1\"", "sh", "quote\" newline\n{\"type\":\"session.end\"} \x1b[31m \xff"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(having(outcome.records, {{"type", "session.end"}}).size(), 1u);
  EXPECT_EQ(jail.sallyport({"audit", "verify", jail.audit_file()}).exit_code, 0);
}

TEST(AuditLog, CannotBeReadByOthers) {
  Jail jail;
  jail.run({}, {"true"});
  auto const mode = std::filesystem::status(jail.audit_file()).permissions();
  EXPECT_EQ(mode, std::filesystem::perms(0600));
}

/// A log of some length, as lines, and what verify says about changed copies of it.
class Tampering : public testing::Test {
 protected:
  Tampering() {
    jail_.run({}, {"sh", "-c", "for i in 1 2 3 4 5 6; do /bin/true $i; done"});
    std::ifstream text(jail_.audit_file());
    for (std::string line; std::getline(text, line);) lines_.push_back(line + "\n");
  }
  void SetUp() override { ASSERT_GT(lines_.size(), 8u); }

  /// verify finds fault with `lines` and names the record of sequence number `first_bad`.
  void bad(std::vector<std::string> const& lines, std::string const& first_bad) {
    std::string text;
    for (auto const& line : lines) text += line;
    write_file(directory_ / "log.jsonl", text);
    auto const verified = jail_.sallyport({"audit", "verify", (directory_ / "log.jsonl").string()});
    EXPECT_NE(verified.exit_code, 0);
    EXPECT_THAT(verified.out + verified.err, testing::ContainsRegex("(^|[^0-9])" + first_bad + "([^0-9]|$)"));
  }
  std::string seq(std::size_t index) const { return text_at(boost::json::parse(lines_[index]).as_object(), "seq"); }

  Jail jail_;
  TempDir directory_;
  std::vector<std::string> lines_;
};

TEST_F(Tampering, AnyFlippedByteIsFound) {
  for (std::size_t index : {std::size_t{0}, lines_.size() / 2, lines_.size() - 1}) {
    for (std::size_t at : {std::size_t{3}, lines_[index].size() / 2, lines_[index].size() - 5}) {
      SCOPED_TRACE(std::to_string(index) + ":" + std::to_string(at));
      auto lines = lines_;
      lines[index][at] = static_cast<char>(lines[index][at] ^ 1);
      bad(lines, seq(index));
    }
  }
}

TEST_F(Tampering, DroppedLineIsFound) {
  auto lines = lines_;
  lines.erase(lines.begin() + 4);
  bad(lines, seq(5));
}

TEST_F(Tampering, SwappedLinesAreFound) {
  auto lines = lines_;
  std::swap(lines[4], lines[5]);
  bad(lines, seq(5));
}

TEST_F(Tampering, CutTailIsFound) {
  auto lines = lines_;
  lines.pop_back();
  bad(lines, seq(lines.size() - 1));
}

TEST_F(Tampering, HalfALastLineIsFound) {
  auto lines = lines_;
  lines.back().resize(lines.back().size() / 2);
  bad(lines, seq(lines.size() - 1));
}

TEST_F(Tampering, RecordsOfAnotherSessionAreFound) {
  Jail other;
  other.run({}, {"sh", "-c", "for i in 1 2 3 4 5 6; do /bin/true $i; done"});
  std::ifstream text(other.audit_file());
  auto lines = lines_;
  for (std::size_t i = 0; i <= 4; ++i) std::getline(text, lines[4]);
  lines[4] += "\n";
  bad(lines, seq(4));
}

}  // namespace
}  // namespace sallyport::test
