#include "jail/receive.hpp"

#include "jail/report.hpp"
#include "tests/support/host_state.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;

class Receive : public ::testing::Test {
 protected:
  Receive() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours_.emplace(*UniqueFd::adopt(ends[0], "ours"));
    theirs_.emplace(*UniqueFd::adopt(ends[1], "theirs"));
  }
  void bad(Code code) {
    auto const received = receive_report(ours_->get(), 0ms);
    ASSERT_FALSE(received);
    EXPECT_EQ(received.error().code, code) << received.error().what;
  }
  void send_bytes(std::size_t count) {
    std::array<char, 4096> const bytes{};
    ASSERT_EQ(::send(theirs_->get(), bytes.data(), count, 0), static_cast<ssize_t>(count));
  }

  std::optional<UniqueFd> ours_, theirs_;
};

TEST_F(Receive, SaysThatNothingCameInTime) { bad(Code::limit); }

TEST_F(Receive, SaysThatTheOtherSideIsGone) {
  theirs_.reset();
  bad(Code::closed);
}

TEST_F(Receive, TakesWhatWasSentBeforeTheEnd) {
  ASSERT_EQ(send_report(theirs_->get(), {Report::Kind::ended, Step::none, 0, -1, 7}), 0);
  theirs_.reset();
  auto const received = receive_report(ours_->get(), 0ms);
  ASSERT_TRUE(received) << received.error().what;
  EXPECT_EQ(received->report.status, 7);
  bad(Code::closed);
}

TEST_F(Receive, TakesWhatWasSentBeforeAnEndThatLeftOurMessageUnread) {
  ASSERT_EQ(::send(ours_->get(), "g", 1, 0), 1);
  ASSERT_EQ(send_report(theirs_->get(), {Report::Kind::failed, Step::none, EIO, -1, 0}), 0);
  theirs_.reset();
  auto const received = receive_report(ours_->get(), 0ms);
  ASSERT_TRUE(received) << received.error().what;
  EXPECT_EQ(received->report.error, EIO);
  bad(Code::closed);
}

TEST_F(Receive, RefusesAMessageOfAnotherSize) {
  send_bytes(1);
  bad(Code::invalid);
  send_bytes(sizeof(Report) - 1);
  bad(Code::invalid);
  send_bytes(sizeof(Report) + 1);
  bad(Code::invalid);
}

TEST_F(Receive, ClosesTheDescriptorsOfAMessageItRefuses) {
  auto const before = test::open_fds();
  std::array<int, socket_order::count> fds{};
  fds.fill(theirs_->get());
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)]{};
  char byte = 0;
  iovec bytes{&byte, 1};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  std::copy_n(reinterpret_cast<char const*>(fds.data()), sizeof fds, reinterpret_cast<char*>(CMSG_DATA(header)));
  ASSERT_EQ(::sendmsg(theirs_->get(), &message, 0), 1);
  bad(Code::invalid);
  EXPECT_EQ(test::open_fds(), before);
}

TEST_F(Receive, OfADescriptorThatIsNoSocketIsAnError) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::write(pipe[1], "x", 1), 1);
  auto const received = receive_report(pipe[0], 0ms);
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().code, Code::os);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace sallyport::jail
