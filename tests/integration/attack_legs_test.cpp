// What smuggles, or speaks of another host than its connection was opened for, on every leg, in both versions of HTTP and
// in TLS itself: refused, and nothing of it reaches a server. The shapes are in tests/support/hostile_client.py.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

constexpr char kAttackPolicy[] =
    "version: 1\nname: test\negress:\n"
    "  - {name: read, hosts: [allowed.example], ports: [80, 443], methods: [GET], paths: ['/hello', '/@scope%2fname']}\n"
    "  - {name: write, hosts: [allowed.example], ports: [80, 443], methods: [POST], paths: [/upload]}\n";

constexpr char kClosedTlsPolicy[] =
    "version: 1\nname: test\negress:\n  - {name: closed, hosts: [allowed.example], ports: [443], inspect: sni}\n";

struct AttackLeg {
  std::string leg;
  std::string protocol;
};
void PrintTo(AttackLeg const& each, std::ostream* out) { *out << each.leg << ' ' << each.protocol; }
std::string attack_leg_name(testing::TestParamInfo<AttackLeg> const& each) {
  return each.param.leg + "_" + each.param.protocol;
}

struct Counts {
  std::size_t cases = 0;
  std::size_t passed = 0;  // that should
};

class AttackLegs : public testing::TestWithParam<AttackLeg> {
 protected:
  AttackLegs() {
    std::ifstream client(SALLYPORT_HOSTILE_CLIENT);
    jail_.add_file("client.py", std::string(std::istreambuf_iterator<char>(client), {}));
  }

  JailOutcome attack(char const* policy, std::string const& protocol) {
    jail_.set_policy(policy);
    std::vector<std::string> options = {"--ca-bundle", jail_.add_file("operator.pem", ca_.pem())};
    for (std::string const name : {"allowed.example", "other.example"}) {
      for (auto const& pins : {pin(name, 443, https_.port()), pin(name, 80, http_.port())})
        options.insert(options.end(), pins.begin(), pins.end());
    }
    auto const& leg = GetParam().leg;
    auto outcome = jail_.run(
        options, {"/usr/bin/python3", "client.py", leg, protocol, "allowed.example", leg == "absolute" ? "80" : "443"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }

  static Counts expect_refusals(JailOutcome const& outcome) {
    std::istringstream lines(outcome.out);
    Counts counts;
    for (std::string name, expected, got; lines >> name >> expected >> got; ++counts.cases) {
      bool const is_of_server = got == "200" || got == "404" || got == "handshake";
      bool const is_refusal = got == "reset" || (got.starts_with('4') && got != "404");
      EXPECT_TRUE(expected == "passed" ? is_of_server : is_refusal)
          << (is_of_server ? "ESCAPED: " : "") << name << " got " << got;
      counts.passed += expected == "passed";
    }
    return counts;
  }

  TestCa ca_;
  Origin https_{ca_, {"allowed.example", "other.example"}};
  Origin http_;
  Jail jail_;
};

TEST_P(AttackLegs, NothingPassesThatIsNotOneAllowedRequest) {
  auto const counts = expect_refusals(attack(kAttackPolicy, GetParam().protocol));
  EXPECT_GT(counts.cases, 30u);
  EXPECT_EQ(https_.requests() + http_.requests(), counts.passed) << "a server saw more, or less, than it should";
}

INSTANTIATE_TEST_SUITE_P(Legs, AttackLegs,
                         testing::Values(AttackLeg{"connect", "h1"}, AttackLeg{"socks5", "h1"},
                                         AttackLeg{"transparent", "h1"}, AttackLeg{"absolute", "h1"},
                                         AttackLeg{"connect", "h2"}, AttackLeg{"socks5", "h2"},
                                         AttackLeg{"transparent", "h2"}),
                         attack_leg_name);

/// A24 to A26: another name, no name, two names, and what is no TLS at all; where TLS is opened and where it stays closed.
class AttackTls : public AttackLegs {
 protected:
  void expect_no_other_name(char const* policy) {
    auto const outcome = attack(policy, "tls");
    auto const counts = expect_refusals(outcome);
    EXPECT_GT(counts.cases, 30u);
    EXPECT_LE(https_.connections(), counts.passed) << "a server was dialled for what is refused";
    expect_recorded(outcome, {{"verdict", "deny"}, {"reason", "sni_mismatch"}});
    expect_recorded(outcome, {{"verdict", "deny"}, {"reason", "no_sni"}});
  }
};

TEST_P(AttackTls, NobodyIsReachedByAnotherNameWhereTlsIsOpened) { expect_no_other_name(kAttackPolicy); }
TEST_P(AttackTls, NobodyIsReachedByAnotherNameWhereTlsStaysClosed) { expect_no_other_name(kClosedTlsPolicy); }

INSTANTIATE_TEST_SUITE_P(Legs, AttackTls,
                         testing::Values(AttackLeg{"connect", "tls"}, AttackLeg{"socks5", "tls"},
                                         AttackLeg{"transparent", "tls"}),
                         attack_leg_name);

}  // namespace
}  // namespace sallyport::test
