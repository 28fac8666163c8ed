#include "cli/service_manager.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace sallyport::cli {
namespace {

/// A service manager's end of the notify protocol.
class NotifySocket {
 public:
  explicit NotifySocket(std::string const& path) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path.c_str(), sizeof at.sun_path - 1);
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  }
  std::string next() const {
    std::array<char, 512> buffer{};
    ssize_t const got = ::recv(fd_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : "";
  }

 private:
  UniqueFd fd_ = UniqueFd::adopt(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket").value();
};

TEST(ServiceManager, HearsThatWeAreReadyAliveAndStopping) {
  test::TempDir const directory;
  auto const path = (directory / "notify").string();
  NotifySocket const socket(path);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  auto const manager = ServiceManager::from_environment();
  for (auto const* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
  EXPECT_EQ(manager.watchdog_interval(), std::chrono::milliseconds(15000));
  manager.ready("policy p");
  EXPECT_EQ(socket.next(), "READY=1\nSTATUS=policy p");
  manager.alive();
  EXPECT_EQ(socket.next(), "WATCHDOG=1");
  manager.stopping();
  EXPECT_EQ(socket.next(), "STOPPING=1");
}

TEST(ServiceManager, IsNotThereWithoutItsVariables) {
  auto const manager = ServiceManager::from_environment();
  EXPECT_FALSE(manager.watchdog_interval());
  manager.ready("nobody hears this");
}

TEST(ServiceManager, SocketsForAnotherProcessAreNotOurs) {
  ::setenv("LISTEN_FDS", "1", 1);
  ::setenv("LISTEN_PID", "1", 1);
  auto const sockets = take_inherited_sockets();
  ASSERT_TRUE(sockets);
  EXPECT_TRUE(sockets->empty());
  EXPECT_EQ(std::getenv("LISTEN_FDS"), nullptr);
}

}  // namespace
}  // namespace sallyport::cli
