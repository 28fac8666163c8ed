#include "proxy/unresolved_names.hpp"

#include "tests/proxy/name_server.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

struct Survey {
  tests::NameServer server{{{"a.example", {"192.0.2.1"}}, {"b.example", {"192.0.2.2"}}}};
  HostsFile hosts = HostsFile::parse("192.0.2.9 hosts.example\n");
  Names of(Names const& names, std::chrono::milliseconds patience = 10s) {
    return unresolved_names(names, hosts, patience, {server.address()}).value();
  }
};

TEST(UnresolvedNames, AreThoseThatNobodyHasAnAddressFor) {
  Survey survey;
  EXPECT_EQ(survey.of({"gone.example", "a.example", "hosts.example", "away.example", "b.example"}), (Names{"gone.example", "away.example"}));
  EXPECT_EQ(survey.of({"a.example", "hosts.example"}), Names{});
  EXPECT_EQ(survey.of({}), Names{});
}

TEST(UnresolvedNames, AnAnswerThatDoesNotComeIsWaitedForOnce) {
  Survey survey;
  auto const began = std::chrono::steady_clock::now();
  EXPECT_EQ(survey.of({"a.example", tests::NameServer::kSilent}, 300ms), (Names{tests::NameServer::kSilent}));
  EXPECT_LT(std::chrono::steady_clock::now() - began, 3s);
}

}  // namespace
}  // namespace sallyport::proxy
