#include "jail/process_facts.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

namespace sallyport::jail {
namespace {

using ::testing::ElementsAre;

std::optional<pid_t> no_parent(pid_t) { return std::nullopt; }

SocketOwner nobody() { return {*UniqueFd::adopt(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"), ::getpid()}; }

TEST(ProcessFactsTest, NameTheProcessAndItsCommands) {
  FakeClock const clock;
  CommandTable table(no_parent);
  table.executed(::getpid(), 3);
  table.executed(::getpid(), 8);
  ProcessFacts const facts(nobody(), table, clock);
  auto const process = facts.of_process(::getpid());
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, ::getpid());
  EXPECT_EQ(process->exe, std::filesystem::read_symlink("/proc/self/exe"));
  EXPECT_FALSE(process->argv.empty());
  EXPECT_THAT(process->chain, ElementsAre(3, 8));
}

TEST(ProcessFactsTest, SayNothingOfAProcessThatIsGone) {
  FakeClock const clock;
  CommandTable const table(no_parent);
  ProcessFacts const facts(nobody(), table, clock);
  Child child([] { return 0; });
  child.wait();
  EXPECT_FALSE(facts.of_process(child.pid()));
}

TEST(ProcessFactsTest, NameTheProcessBehindAConnection) {
  in_own_network([] {
    auto sockets = close_network(network_plan());
    FakeClock const clock;
  CommandTable table(no_parent);
    table.executed(::getpid(), 5);
    ProcessFacts facts(SocketOwner(*UniqueFd::adopt(sockets.fds[socket_order::socket_diag], "diag"), ::getpid()), table, clock);
    int const client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(3128);
    socklen_t size = sizeof place;
    ASSERT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&place), size), 0);
    ASSERT_EQ(::getsockname(client, reinterpret_cast<sockaddr*>(&place), &size), 0);
    auto const process = facts.of_flow({"tcp", "127.0.0.1", ntohs(place.sin_port), "127.0.0.1", 3128});
    ASSERT_TRUE(process);
    EXPECT_EQ(process->pid, ::getpid());
    EXPECT_THAT(process->chain, ElementsAre(5));
    EXPECT_FALSE(facts.of_flow({"tcp", "127.0.0.1", 1, "127.0.0.1", 3128}));
    ::close(client);
  });
}

}  // namespace
}  // namespace sallyport::jail
