#include "cli/proxy_session.hpp"

#include "tests/support/audit_records.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;

std::uint16_t free_port() {
  int const fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(fd);
  return ntohs(address.sin_port);
}

/// `sallyport proxy` with one allowed name that is pinned to a loopback origin.
class ProxySession : public testing::Test {
 protected:
  ProxySession() {
    std::string const port = std::to_string(origin_.port());
    proxy_.emplace(test::Command{.argv = {SALLYPORT_BINARY, "proxy", "--listen", listen_, "--allow", "a.example:" + port, "--resolve",
                                          "a.example:" + port + ":127.0.0.1", "--audit", log_}});
    EXPECT_TRUE(proxy_->wait_for_output("listening", 10s));
  }
  test::Outcome get(std::string const& url) {
    return test::run_command({.argv = {"curl", "-sS", "--max-time", "10", "-w", "%{http_code}", "-o", "/dev/null", "-x",
                                       "http://" + listen_, url}});
  }
  std::string url(std::string const& host) const { return "http://" + host + ":" + std::to_string(origin_.port()) + "/hello"; }

  test::TempDir const directory_;
  test::Origin origin_;
  std::string const listen_ = "127.0.0.1:" + std::to_string(free_port());
  std::string const log_ = (directory_ / "log.jsonl").string();
  std::optional<test::Process> proxy_;
};

TEST_F(ProxySession, ServesWhatThePolicyAllowsAndWritesBothVerdictsDown) {
  EXPECT_EQ(get(url("a.example")).out, "200");
  EXPECT_EQ(get(url("b.example")).out, "403");
  EXPECT_EQ(origin_.requests(), 1U);
  proxy_->send_signal(SIGTERM);
  EXPECT_EQ(proxy_->wait().exit_code, 0);
  auto const records = test::read_records(log_);
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"host", "a.example"}, {"verdict", "allow"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"host", "b.example"}, {"verdict", "deny"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"type", "session.end"}, {"cause", "stopped"}}).size(), 1U);
}

TEST(ProxySessionErrors, AWrongListenAddressIsNamed) {
  auto const outcome = test::run_command({.argv = {SALLYPORT_BINARY, "proxy", "--listen", "localhost:3128"}});
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_NE(outcome.err.find("'localhost:3128' is not ADDRESS:PORT"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::cli
