#include "cli/serve.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace sallyport::cli {
namespace {

/// The gateway's place is taken by a thread that ends when it is asked to, or at once.
class Serve : public testing::Test {
 protected:
  Serve() {
    std::array<int, 2> pair{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
    gateway_.emplace(*UniqueFd::adopt(pair[1], "pair"));
    sink_ = *audit::FileSink::open({(directory_ / "log.jsonl").string(), (directory_ / "keys").string(), "s"}, clock_);
    link_.emplace(*UniqueFd::adopt(pair[0], "pair"), *sink_);
  }
  Result<std::string> run(std::optional<int> life) {
    return serve({*link_, *sink_, clock_, [](audit::Flow const&) { return std::optional<audit::Process>{}; }, quiet_.get(), life});
  }

  test::TempDir const directory_;
  SystemClock const clock_;
  std::optional<UniqueFd> gateway_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::GatewayLink> link_;
  UniqueFd quiet_ = *UniqueFd::adopt(::eventfd(0, EFD_CLOEXEC), "eventfd");
};

TEST_F(Serve, EndsWhenTheGatewayEnds) {
  gateway_.reset();
  EXPECT_EQ(*run(std::nullopt), "gateway_lost");
}

TEST_F(Serve, AsksTheGatewayToEndWhenTheContainerHasEnded) {
  UniqueFd const life = *UniqueFd::adopt(::eventfd(1, EFD_CLOEXEC), "eventfd");
  std::string asked;
  std::thread gateway([&] {
    std::array<char, 64> buffer{};
    ssize_t const got = ::recv(gateway_->get(), buffer.data(), buffer.size(), 0);
    asked.assign(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    gateway_.reset();
  });
  EXPECT_EQ(*run(life.get()), "container_ended");
  gateway.join();
  auto const message = audit::channel::decode_to_gateway(asked);
  ASSERT_TRUE(message);
  EXPECT_TRUE(std::holds_alternative<audit::channel::Stop>(*message));
}

/// Both have something to say at once: the exec is on record before what it sent.
TEST_F(Serve, TakesWhatItWatchesBeforeTheGatewaysRecords) {
  UniqueFd const waiting = *UniqueFd::adopt(::eventfd(1, EFD_CLOEXEC), "eventfd");
  ASSERT_TRUE(sink_->append(audit::SessionStart{}));
  audit::EgressRequest request;
  request.flow = audit::Flow{};
  auto const message = audit::channel::encode(audit::channel::ToSupervisor(audit::channel::Record{0, request}));
  ASSERT_EQ(::send(gateway_->get(), message.data(), message.size(), 0), static_cast<ssize_t>(message.size()));
  gateway_.reset();
  std::string order;
  Watched watched{waiting.get(), [&]() -> Result<void> {
                    order += "exec ";
                    return {};
                  }};
  auto const identify = [&](audit::Flow const&) {
    order += "request ";
    return std::optional<audit::Process>{};
  };
  auto const ended = serve({*link_, *sink_, clock_, identify, quiet_.get(), std::nullopt, watched});
  ASSERT_TRUE(ended) << ended.error().what;
  EXPECT_EQ(*ended, "gateway_lost");
  EXPECT_EQ(order, "exec request ");
}

/// What else is watched is taken as it comes, and its error ends the session.
TEST_F(Serve, EndsWithTheErrorOfWhatItWatches) {
  UniqueFd const waiting = *UniqueFd::adopt(::eventfd(1, EFD_CLOEXEC), "eventfd");
  int taken = 0;
  Watched watched{waiting.get(), [&]() -> Result<void> {
                    if (++taken < 3) return {};
                    return Error{Code::os, 0, "the audit log is broken"};
                  }};
  auto const identify = [](audit::Flow const&) { return std::optional<audit::Process>{}; };
  auto const ended = serve({*link_, *sink_, clock_, identify, quiet_.get(), std::nullopt, watched});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().what, "the audit log is broken");
  EXPECT_EQ(taken, 3);
}

}  // namespace
}  // namespace sallyport::cli
