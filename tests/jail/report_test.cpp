#include "jail/report.hpp"

#include "jail/receive.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sallyport::jail {
namespace {

class ReportTest : public ::testing::Test {
 protected:
  ReportTest() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_.data()), 0); }
  ~ReportTest() override {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  std::array<int, 2> ends_{};
};

TEST_F(ReportTest, ArrivesAsItWasSent) {
  ASSERT_EQ(send_report(ends_[0], {Report::Kind::failed, Step::mounts, EACCES, 17, 3}), 0);
  auto const received = receive_report(ends_[1], std::chrono::milliseconds(0));
  ASSERT_TRUE(received) << received.error().what;
  EXPECT_EQ(received->report.kind, Report::Kind::failed);
  EXPECT_EQ(received->report.step, Step::mounts);
  EXPECT_EQ(received->report.error, EACCES);
  EXPECT_EQ(received->report.detail, 17);
  EXPECT_EQ(received->report.status, 3);
  EXPECT_TRUE(received->fds.empty());
}

TEST_F(ReportTest, CarriesAsManyDescriptorsAsThereAreSockets) {
  std::array<int, socket_order::count> fds{};
  fds.fill(ends_[0]);
  ASSERT_EQ(send_report_with_fds(ends_[0], {}, fds.data(), socket_order::count), 0);
  auto const received = receive_report(ends_[1], std::chrono::milliseconds(0));
  ASSERT_TRUE(received) << received.error().what;
  ASSERT_EQ(received->fds.size(), socket_order::count);
  for (auto const& fd : received->fds) EXPECT_EQ(::fcntl(fd.get(), F_GETFD), FD_CLOEXEC);
}

TEST_F(ReportTest, CarriesNoMoreThanThat) {
  std::array<int, socket_order::count + 1> fds{};
  EXPECT_EQ(send_report_with_fds(ends_[0], {}, fds.data(), fds.size()), EINVAL);
}

TEST_F(ReportTest, ToAParentThatIsGoneIsAnErrorAndNoSignal) {
  ::close(ends_[1]);
  EXPECT_EQ(send_report(ends_[0], {}), EPIPE);
  EXPECT_EQ(send_report_with_fds(ends_[0], {}, &ends_[0], 1), EPIPE);
  ends_[1] = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST_F(ReportTest, OfADescriptorThatIsNoneIsAnError) {
  int const closed = -1;
  EXPECT_EQ(send_report_with_fds(ends_[0], {}, &closed, 1), EBADF);
}

}  // namespace
}  // namespace sallyport::jail
