#include "cli/proxy_listeners.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/eventfd.h>

#include <filesystem>

namespace sallyport::cli {
namespace {

std::string error_of(ProxyOptions const& options) {
  SocketFiles files;
  auto const fds = open_listeners(options, {}, {}, files);
  return fds ? "" : fds.error().what;
}

TEST(ProxyListeners, AddressThatOthersCanReachNeedsAListOfClients) {
  ProxyOptions options;
  options.listen = {"0.0.0.0:0"};
  EXPECT_NE(error_of(options).find("--allow-clients"), std::string::npos);
  options.allow_clients = {policies::Cidr::parse("10.0.0.0/8").value()};
  EXPECT_EQ(error_of(options), "");
}

TEST(ProxyListeners, NoListenerAtAllIsAnError) { EXPECT_NE(error_of({}).find("no listener"), std::string::npos); }

TEST(ProxyListeners, InheritedSocketsAreSortedByTheirNames) {
  std::vector<InheritedSocket> inherited;
  for (auto const* name : {"listen", "tls", "metrics", "sallyport-proxy.socket"})
    inherited.push_back({name, UniqueFd::adopt(::eventfd(0, EFD_CLOEXEC), "eventfd").value()});
  SocketFiles files;
  auto const fds = open_listeners({}, {}, std::move(inherited), files);
  ASSERT_TRUE(fds) << fds.error().what;
  EXPECT_EQ(fds->explicit_proxy.size(), 2U);
  EXPECT_EQ(fds->sni.size(), 1U);
  EXPECT_TRUE(fds->metrics);
}

TEST(ProxyListeners, UnixSocketsFileGoesWithTheProxyThatMadeItAndWithNoOther) {
  test::TempDir const directory;
  ProxyOptions options;
  options.listen = {"unix:" + (directory / "proxy").string()};
  {
    SocketFiles files;
    ASSERT_TRUE(open_listeners(options, {}, {}, files));
    EXPECT_NE(error_of(options).find("is there already"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(directory / "proxy"));
  }
  EXPECT_FALSE(std::filesystem::exists(directory / "proxy"));
}

}  // namespace
}  // namespace sallyport::cli
