#include "proxy/stream.hpp"

#include "base/limits.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace sallyport::proxy {
namespace {

using tests::StreamPair;

TEST(Stream, ReadsAppendToWhatWasNotConsumed) {
  StreamPair pair;
  tests::send_all(pair.client.get(), "first");
  ASSERT_TRUE(tests::run(pair.io, pair.stream.read_more()));
  pair.stream.consume(3);
  tests::send_all(pair.client.get(), "second");
  ASSERT_TRUE(tests::run(pair.io, pair.stream.read_more()));
  EXPECT_EQ(pair.stream.buffered(), "stsecond");
}

TEST(Stream, EndOfTheStreamKeepsWhatWasRead) {
  StreamPair pair;
  tests::send_all(pair.client.get(), "last");
  tests::shutdown_send(pair.client.get());
  ASSERT_TRUE(tests::run(pair.io, pair.stream.read_more()));
  auto const more = tests::run(pair.io, pair.stream.read_more());
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, Code::closed);
  EXPECT_EQ(pair.stream.buffered(), "last");
}

/// Reads until an error, and consumes nothing.
awaitable<Result<void>> read_to_error(Stream& stream) {
  for (;;) {
    auto more = co_await stream.read_more();
    if (!more) co_return more;
  }
}

TEST(Stream, BufferThatNobodyConsumesHasALimit) {
  std::string const flood(1024 * 1024, 'x');
  tests::Origin origin([&](int fd) { tests::send_all(fd, flood); });
  asio::io_context io;
  Socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), origin.port()});
  Stream stream(std::move(socket));
  auto const read = tests::run(io, read_to_error(stream));
  EXPECT_EQ(read.error().code, Code::limit);
  EXPECT_GE(stream.buffered().size(), limits::kMaxHeadBytes);
  EXPECT_LT(stream.buffered().size(), flood.size());
  stream.reset();  // the origin stops sending
}

TEST(Stream, WritesEverythingAlsoWhenTheOtherSideIsSlow) {
  std::string const bytes(8 * 1024 * 1024, 'x');
  StreamPair pair;
  std::string received;
  std::thread reader([&] { received = tests::receive(pair.client.get(), bytes.size()); });
  EXPECT_TRUE(tests::run(pair.io, pair.stream.write(bytes)));
  reader.join();
  EXPECT_EQ(received, bytes);
}

TEST(Stream, WriteToAClosedPeerIsAnError) {
  StreamPair pair;
  { auto const gone = std::move(pair.client); }
  EXPECT_TRUE(tests::run(pair.io, pair.stream.write("answered by a reset")));
  auto const after_reset = tests::run(pair.io, read_to_error(pair.stream));
  EXPECT_FALSE(after_reset);
  EXPECT_FALSE(tests::run(pair.io, pair.stream.write("more")));
}

TEST(Stream, EndsAreWhatTheirNamesSay) {
  StreamPair closed, reset, half;
  closed.stream.close();
  EXPECT_EQ(tests::wait_end(closed.client.get()), tests::End::orderly);
  reset.stream.reset();
  EXPECT_EQ(tests::wait_end(reset.client.get()), tests::End::reset);
  half.stream.shutdown_send();
  EXPECT_EQ(tests::wait_end(half.client.get()), tests::End::orderly);
  tests::send_all(half.client.get(), "the other direction");
  EXPECT_TRUE(tests::run(half.io, half.stream.read_more()));
}

TEST(Stream, ReleasedBufferIsUsedAgain) {
  StreamPair pair;
  for (std::string const text : {"one", "two"}) {
    tests::send_all(pair.client.get(), text);
    ASSERT_TRUE(tests::run(pair.io, pair.stream.read_more()));
    EXPECT_EQ(pair.stream.buffered(), text);
    pair.stream.consume(text.size());
    pair.stream.release_buffer();
    EXPECT_EQ(pair.stream.buffered(), "");
  }
}

TEST(Stream, LingeringCloseDropsWhatIsSentSoThatTheAnswerIsNotLost) {
  StreamPair pair;
  ASSERT_TRUE(tests::run(pair.io, pair.stream.write("answer")));
  std::string received;
  std::thread client([&] {
    received = tests::receive_to_end(pair.client.get());
    tests::send_all(pair.client.get(), std::string(1024 * 1024, 'x'));  // reset, had the stream been closed at once
    tests::shutdown_send(pair.client.get());
  });
  tests::run(pair.io, linger_close(pair.stream));
  client.join();
  EXPECT_EQ(received, "answer");
  EXPECT_FALSE(pair.stream.socket().is_open());
  EXPECT_EQ(tests::wait_end(pair.client.get()), tests::End::orderly);
}

}  // namespace
}  // namespace sallyport::proxy
