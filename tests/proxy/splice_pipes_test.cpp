#include "proxy/splice_pipes.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::proxy {
namespace {

/// Two connected sockets that never wait.
class Pair {
 public:
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends_.data()), 0); }
  ~Pair() {
    for (int const end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  Pair(Pair const&) = delete;
  Pair& operator=(Pair const&) = delete;

  int ours() const { return ends_[0]; }
  int theirs() const { return ends_[1]; }
  void close_theirs() { ::close(std::exchange(ends_[1], -1)); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::string read_some(int fd) {
  std::string bytes(64, '\0');
  auto const got = ::read(fd, bytes.data(), bytes.size());
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

TEST(SplicePipes, MoveBytesFromOneSocketToTheOther) {
  SplicePipes pipes;
  Pair from, to;
  auto pipe = pipes.take();
  ASSERT_TRUE(pipe);
  EXPECT_EQ(pipe->fill_from(from.ours()).what, Moved::What::again);
  ASSERT_EQ(::write(from.theirs(), "bytes", 5), 5);
  EXPECT_EQ(pipe->fill_from(from.ours()).bytes, 5U);
  EXPECT_EQ(pipe->pending(), 5U);
  EXPECT_EQ(pipe->drain_to(to.ours()).bytes, 5U);
  EXPECT_EQ(pipe->pending(), 0U);
  EXPECT_EQ(read_some(to.theirs()), "bytes");
  from.close_theirs();
  EXPECT_EQ(pipe->fill_from(from.ours()).what, Moved::What::end);
}

TEST(SplicePipes, SocketThatIsGoneIsAnError) {
  std::signal(SIGPIPE, SIG_IGN);
  SplicePipes pipes;
  Pair from, to;
  auto pipe = pipes.take();
  ASSERT_TRUE(pipe);
  ASSERT_EQ(::write(from.theirs(), "bytes", 5), 5);
  ASSERT_EQ(pipe->fill_from(from.ours()).bytes, 5U);
  to.close_theirs();
  auto const moved = pipe->drain_to(to.ours());
  EXPECT_EQ(moved.what, Moved::What::failed);
  EXPECT_EQ(moved.error, EPIPE);
}

TEST(SplicePipes, BytesOfOneTunnelNeverReachAnother) {
  SplicePipes pipes;
  Pair from, to;
  {
    auto left = pipes.take();
    ASSERT_TRUE(left);
    ASSERT_EQ(::write(from.theirs(), "secret", 6), 6);
    ASSERT_EQ(left->fill_from(from.ours()).bytes, 6U);
  }
  auto next = pipes.take();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->pending(), 0U);
  ASSERT_EQ(::write(from.theirs(), "x", 1), 1);
  ASSERT_EQ(next->fill_from(from.ours()).bytes, 1U);
  ASSERT_EQ(next->drain_to(to.ours()).bytes, 1U);
  EXPECT_EQ(read_some(to.theirs()), "x");
}

TEST(SplicePipes, AreLentToAFewAtATime) {
  SplicePipes pipes;
  std::vector<SplicePipe> lent;
  while (auto pipe = pipes.take()) lent.push_back(std::move(*pipe));
  EXPECT_EQ(lent.size(), SplicePipes::kMaxInUse);
  EXPECT_EQ(pipes.in_use(), SplicePipes::kMaxInUse);
  lent.clear();
  EXPECT_EQ(pipes.in_use(), 0U);
  EXPECT_TRUE(pipes.take());
}

}  // namespace
}  // namespace sallyport::proxy
