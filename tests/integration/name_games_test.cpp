// Spellings of names and addresses that must not pass for an allowed one, through a real jail on the legs that carry a raw
// name.

#include "tests/integration/refusals.hpp"
#include "tests/support/origin.hpp"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace sallyport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A jail in which github.com and everything below *.pages.example is allowed; every name that could be meant leads to one
/// server.
class NameGames : public testing::Test {
 protected:
  std::vector<std::string> options() const {
    std::vector<std::string> all = {"--allow", "github.com", "--allow", "*.pages.example"};
    for (std::string const name :
         {"github.com", "a.pages.example", "pages.example", "github.com.evil.example", "notgithub.com"}) {
      auto const pins = pin(name, 443, origin_.port());
      all.insert(all.end(), pins.begin(), pins.end());
    }
    return all;
  }
  /// The status line that CONNECT with exactly this authority gets.
  std::string connect(std::string const& authority) {
    outcome_ = jail_.run(options(), {jail_.add_guest("ask_proxy"), "127.0.0.1", "3128", authority});
    return outcome_.out.substr(0, outcome_.out.find('\n'));
  }
  void allowed(std::string const& authority) { EXPECT_THAT(connect(authority), StartsWith("HTTP/1.1 200")) << authority; }
  void refused(std::string const& authority) {
    EXPECT_THAT(connect(authority), testing::AnyOf(StartsWith("HTTP/1.1 403"), StartsWith("HTTP/1.1 400"))) << authority;
    EXPECT_THAT(outcome_.out, Not(HasSubstr("ESCAPED"))) << authority;
    EXPECT_EQ(having(outcome_.records, {{"type", "egress.request"}, {"verdict", "deny"}}).size(), 1u)
        << print(outcome_.records);
    EXPECT_EQ(origin_.connections(), 0u) << authority;
  }

  Origin origin_;
  Jail jail_;
  JailOutcome outcome_;
};

TEST_F(NameGames, OneNameInSeveralHarmlessSpellings) {
  allowed("github.com:443");
  allowed("GitHub.COM:443");
  allowed("github.com.:443");
  allowed("a.pages.example:443");
}

TEST_F(NameGames, NamesThatOnlyLookAlike) {
  refused("github.com.evil.example:443");
  refused("notgithub.com:443");
  refused("evilgithub.com:443");
  refused("evil.example@github.com:443");
  refused("github.com@evil.example:443");
  refused("evil.example#github.com:443");
  refused("evil.example?github.com:443");
  refused("evil.example\\@github.com:443");
  refused("pages.example:443");
  refused("xpages.example:443");
  refused("a.pages.example.evil.example:443");
}

TEST_F(NameGames, BrokenNames) {
  refused("github..com:443");
  refused(".github.com:443");
  refused("github%2ecom:443");
  refused("github.com%00.evil.example:443");
  refused("git hub.com:443");
  refused(std::string(64, 'a') + ".pages.example:443");
  refused(std::string(254, 'a') + ":443");
}

TEST_F(NameGames, AddressesInEverySpelling) {
  refused("127.0.0.1:443");
  refused("2130706433:443");
  refused("0177.0.0.1:443");
  refused("0x7f.1:443");
  refused("127.1:443");
  refused("0.0.0.0:443");
  refused("[::1]:443");
  refused("[::ffff:127.0.0.1]:443");
  refused("[64:ff9b::7f00:1]:443");
  refused("[fe80::1%25lo]:443");
  refused("169.254.169.254:80");
  refused("metadata.google.internal:80");
}

TEST_F(NameGames, Ports) {
  refused("github.com:22");
  refused("github.com:25");
  refused("github.com:80");
  refused("github.com:0");
  refused("github.com:00443");
  refused("github.com:65536");
  refused("github.com:65979");
  refused("github.com:");
  refused("github.com");
}

}  // namespace
}  // namespace sallyport::test
