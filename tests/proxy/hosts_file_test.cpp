#include "proxy/hosts_file.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

std::vector<std::string> find(std::string_view text, std::string_view name) {
  std::vector<std::string> found;
  for (auto const& address : HostsFile::parse(text).find(policies::CanonicalHost::from(name).value())) {
    found.push_back(address.to_string());
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(HostsFile, FindsEveryAddressOfANameInFileOrder) {
  EXPECT_EQ(find("10.0.0.1 a.example b.example\n", "b.example"), Found{"10.0.0.1"});
  EXPECT_EQ(find("10.0.0.1 a.example\n::1 a.example\n", "a.example"), (Found{"10.0.0.1", "::1"}));
  EXPECT_EQ(find("\t10.0.0.1\t \ta.example  \r\n", "a.example"), Found{"10.0.0.1"});
  EXPECT_EQ(find("10.0.0.1 A.Example.", "a.example"), Found{"10.0.0.1"});
}

TEST(HostsFile, SkipsCommentsAndLinesThatAreNotCanonical) {
  EXPECT_EQ(find("#10.0.0.1 a.example\n", "a.example"), Found{});
  EXPECT_EQ(find("10.0.0.1 b.example # a.example\n", "a.example"), Found{});
  EXPECT_EQ(find("010.0.0.1 a.example\nx a.example\n\n  \n", "a.example"), Found{});
  EXPECT_EQ(find("10.0.0.1 bad..name a.example\n", "a.example"), Found{"10.0.0.1"});
  EXPECT_EQ(find("", "a.example"), Found{});
}

TEST(HostsFile, MissingFileIsEmpty) {
  EXPECT_TRUE(HostsFile::load("/nonexistent").find(policies::CanonicalHost::from("localhost").value()).empty());
}

}  // namespace
}  // namespace sallyport::proxy
