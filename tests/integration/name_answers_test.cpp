// Name servers that lie: where an allowed name leads is judged for every request, on every leg, by the answer of that moment. The server is
// tests/support/hostile_names.py, in a network namespace of the test's own, in which 23.0.0.7 stands for a public server and 10.1.2.3 for one
// of the company.

#include "tests/integration/refusals.hpp"

#include <gmock/gmock.h>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr char kPublic[] = "23.0.0.7";
constexpr char kMirror[] = "10.1.2.3";

constexpr char kNamesPolicy[] =
    "version: 1\nname: test\negress:\n"
    "  - {name: mirror, hosts: [mirror.ours.test], ports: [80], resolve: [10.1.2.0/24]}\n"
    "  - {name: any, hosts: ['*.evil.test'], ports: [80]}\n";

/// Runs `body` where the name server and its servers are all there is.
void among_liars(std::function<void(std::filesystem::path const& log)> const& body) {
  TempDir const directory;
  std::thread([&] {
    ASSERT_EQ(::unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_FS), 0);
    ASSERT_EQ(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
    write_file(directory / "resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:2\n");
    ASSERT_EQ(::mount((directory / "resolv.conf").c_str(), "/etc/resolv.conf", nullptr, MS_BIND, nullptr), 0);
    auto const ready = run_command({.argv = {"sh", "-ec", "ip link set lo up; for a in 23.0.0.7 23.0.0.9 10.1.2.3; do ip addr add $a/32 dev lo; done"}});
    ASSERT_EQ(ready.exit_code, 0) << ready.err;
    Process server({.argv = {"/usr/bin/python3", SALLYPORT_HOSTILE_NAMES, (directory / "log").string()}});
    ASSERT_TRUE(server.wait_for_output("ready", 20s));
    body(directory / "log");
  }).join();
}

struct NameLeg {
  std::string name;
  std::vector<std::string> curl;
};
void PrintTo(NameLeg const& each, std::ostream* out) { *out << each.name; }

class NameAnswers : public testing::TestWithParam<NameLeg> {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root gives a test its own /etc/resolv.conf";
    jail_.set_policy(kNamesPolicy);
  }
  /// One jail that asks for all of `names`, one after another: their answers, a line each; "refused" where none came.
  std::vector<std::string> reached(std::vector<std::string> const& names) {
    std::string script;
    for (auto const& name : names) {
      script += "curl -sS --max-time 10";
      for (auto const& option : GetParam().curl) script += " " + option;
      script += " -w '\\n' http://" + name + "/ || echo refused\n";
    }
    outcome_ = jail_.run({}, {"sh", "-c", script});
    std::vector<std::string> lines;
    std::istringstream out(outcome_.out);
    for (std::string line; std::getline(out, line);) {
      bool const is_refusal = line.find("egress_denied") != std::string::npos || line.find("502") != std::string::npos;
      if (!line.empty()) lines.push_back(is_refusal ? "refused" : line);
    }
    return lines;
  }
  void expect_reason(std::string const& host, std::string const& reason) const {
    EXPECT_GE(having(outcome_.records, {{"type", "egress.request"}, {"host", host}, {"verdict", "deny"}, {"reason", reason}}).size(), 1U)
        << print(outcome_.records);
  }

  Jail jail_;
  JailOutcome outcome_;
};

TEST_P(NameAnswers, NobodyInsideIsReachedWhateverTheAnswerSays) {
  among_liars([&](auto const& log) {
    auto const lines = reached({"rebind.evil.test", "rebind.evil.test", "inward.evil.test", "alias.evil.test", "both.evil.test"});
    EXPECT_THAT(lines, testing::ElementsAre(kPublic, "refused", "refused", "refused", kPublic));
    for (auto const* host : {"rebind.evil.test", "inward.evil.test", "alias.evil.test"}) expect_reason(host, "address_class");
    auto const seen = read_file(log);
    EXPECT_THAT(seen, Not(HasSubstr("reach 127.0.0.1")));
    EXPECT_THAT(seen, Not(HasSubstr("reach 10.1.2.3"))) << "of two addresses only the public one";
    EXPECT_THAT(seen, Not(HasSubstr(" 65 "))) << "nobody asks for HTTPS records, whose hints nobody would check";
  });
}

TEST_P(NameAnswers, ACompanysOwnServerIsReachedByTheNameThatMay) {
  among_liars([&](auto const& log) {
    EXPECT_THAT(reached({"mirror.ours.test", "inward.evil.test"}), testing::ElementsAre(kMirror, "refused"));
    EXPECT_THAT(read_file(log), HasSubstr("reach 10.1.2.3"));
  });
}

TEST_P(NameAnswers, AnswersThatNobodyAskedForAreNotBelieved) {
  among_liars([&](auto const& log) {
    auto const lines = reached({"txid.evil.test", "question.evil.test", "source.evil.test", "large.evil.test", "chain.evil.test"});
    EXPECT_THAT(lines, testing::Each(kPublic));
    EXPECT_EQ(lines.size(), 5U);
    auto const seen = read_file(log);
    EXPECT_THAT(seen, Not(HasSubstr("reach 23.0.0.9"))) << "the address in the forged answers";
    EXPECT_THAT(seen, HasSubstr("ask large.evil.test 1 tcp")) << "what does not fit is asked for again by TCP";
  });
}

INSTANTIATE_TEST_SUITE_P(Legs, NameAnswers,
                         testing::Values(NameLeg{"connect", {"-x", "http://127.0.0.1:3128", "--proxytunnel"}}, NameLeg{"absolute", {"-x", "http://127.0.0.1:3128"}},
                                         NameLeg{"socks5", {"-x", "socks5h://127.0.0.1:3128"}}, NameLeg{"transparent", {"--noproxy", "'*'"}}),
                         [](auto const& each) { return each.param.name; });

}  // namespace
}  // namespace sallyport::test
