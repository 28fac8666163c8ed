#include "proxy/h2_stream.hpp"

#include "tests/proxy/h2_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nghttp2/nghttp2.h>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using testing::HasSubstr;
using tests::H2Pair;

awaitable<void> read_nothing(H2ServerStream stream) { co_await stream.wait_until_cut(); }

awaitable<void> send(H2Stream& stream, std::string const& bytes, Result<void>& result) { result = co_await stream.write_body(bytes); }

awaitable<void> wait_for_quiet(H2Pair& pair) {
  for (std::size_t before = 1, quiet = 0; quiet < 5; quiet = before == pair.server.buffered_bytes() ? quiet + 1 : 0) {
    before = pair.server.buffered_bytes();
    co_await sleep_for(2ms);
  }
}

TEST(H2Stream, ReaderThatStopsHoldsThePeerToOneWindow) {
  H2Pair pair(read_nothing);
  auto stream = tests::open_stream(pair.client, "POST", EndStream::no);
  auto const bytes = tests::bulk(8 * 1024 * 1024);
  Result<void> result;
  pair.run(send(stream, bytes, result) || wait_for_quiet(pair));
  EXPECT_GT(pair.server.buffered_bytes(), 0U);
  EXPECT_LE(pair.server.buffered_bytes(), limits::kH2RequestWindowBytes);
}

TEST(H2Stream, ManyReadersThatStopHoldThePeerToTheWindowOfTheConnection) {
  H2Limits bounds;
  bounds.connection_window = 600'000;
  H2Pair pair(read_nothing, bounds);
  auto const bytes = tests::bulk(1024 * 1024);
  auto one = tests::open_stream(pair.client, "POST", EndStream::no), two = tests::open_stream(pair.client, "POST", EndStream::no),
       three = tests::open_stream(pair.client, "POST", EndStream::no);
  Result<void> result;
  pair.run(send(one, bytes, result) || send(two, bytes, result) || send(three, bytes, result) || wait_for_quiet(pair));
  EXPECT_GT(pair.server.buffered_bytes(), 500'000U);
  EXPECT_LE(pair.server.buffered_bytes(), bounds.connection_window);
}

TEST(H2Stream, PeerThatNeverOpensItsWindowEndsTheStreamOnly) {
  auto bounds = H2Limits::for_servers();
  bounds.stall_timeout = 300ms;
  H2Pair pair(read_nothing, {}, bounds);
  auto stream = tests::open_stream(pair.client, "POST", EndStream::no);
  auto const bytes = tests::bulk(1024 * 1024);
  auto const written = pair.run(stream.write_body(bytes));
  EXPECT_EQ(written.error().code, Code::limit);
  EXPECT_THAT(written.error().what, HasSubstr("took no bytes"));
  EXPECT_TRUE(stream.cut());
  EXPECT_FALSE(pair.client_ended);
}

awaitable<void> answer_and_read_on(H2ServerStream stream, std::string& received) {
  stream.respond(200, {}).has_value();
  co_await stream.write_body("whole", EndStream::yes);
  auto body = co_await tests::read_all(stream);
  received = body ? *body : body.error().what;
}

TEST(H2Stream, ClientGoesOnSendingBehindTheWholeResponse) {
  std::string received;
  H2Pair pair([&received](H2ServerStream stream) { return answer_and_read_on(std::move(stream), received); });
  auto stream = tests::open_stream(pair.client, "POST", EndStream::no);
  EXPECT_TRUE(pair.run(stream.read_response_head()));
  EXPECT_EQ(pair.run(tests::read_all(stream)).value(), "whole");
  EXPECT_TRUE(pair.run(stream.write_body("late")));
  EXPECT_TRUE(pair.run(stream.finish()));
  while (received.empty() && pair.io.run_one() != 0) {}
  EXPECT_EQ(received, "late");
}

awaitable<void> read_then_answer(H2ServerStream stream) {
  auto const body = co_await tests::read_all(stream);
  if (!body || !stream.respond(200, {})) co_return;
  co_await stream.write_body(*body, EndStream::yes);
}

TEST(H2Stream, ServerAnswersBehindTheWholeRequest) {
  H2Pair pair(read_then_answer);
  auto stream = tests::open_stream(pair.client, "POST", EndStream::no);
  EXPECT_TRUE(pair.run(stream.write_body("early", EndStream::yes)));
  EXPECT_TRUE(pair.run(stream.finish()));  // was said already
  EXPECT_TRUE(pair.run(stream.read_response_head()));
  EXPECT_EQ(pair.run(tests::read_all(stream)).value(), "early");
}

/// Resets its stream when a body of this many bytes came.
awaitable<void> reset_after(H2ServerStream stream, std::size_t bytes, std::uint32_t code) {
  for (std::size_t got = 0; got < bytes;) {
    auto block = co_await stream.read_body();
    if (!block || block->empty()) co_return;
    got += block->size();
  }
  stream.reset(code);
}

TEST(H2Stream, ResetInEveryStateEndsWhatWaits) {
  auto const bytes = tests::bulk(4 * 1024 * 1024);
  for (std::size_t const after : {0, 1, 300'000, 2'000'000}) {
    H2Pair pair([after](H2ServerStream stream) { return reset_after(std::move(stream), after, NGHTTP2_INTERNAL_ERROR); });
    auto const answer = pair.run(tests::post(pair.client, bytes, {}));
    ASSERT_FALSE(answer.head) << after;
    EXPECT_EQ(answer.head.error().code, Code::closed);
    EXPECT_THAT(answer.head.error().what, HasSubstr("INTERNAL_ERROR"));
    EXPECT_FALSE(pair.client_ended) << "only the stream ends";
  }
}

awaitable<void> write_for_ever(H2ServerStream stream, std::string& end) {
  std::string const block(100'000, 'x');
  stream.respond(200, {}).has_value();
  for (;;) {
    auto written = co_await stream.write_body(block);
    if (written) continue;
    end = written.error().what;
    co_return;
  }
}

TEST(H2Stream, HandleThatGoesAwayCancelsItsStream) {
  std::string end;
  H2Pair pair([&end](H2ServerStream stream) { return write_for_ever(std::move(stream), end); });
  {
    auto stream = tests::open_stream(pair.client, "GET", EndStream::yes);
    EXPECT_TRUE(pair.run(stream.read_response_head()));
    EXPECT_TRUE(pair.run(stream.read_body()));
  }
  while (end.empty() && pair.io.run_one() != 0) {}
  EXPECT_THAT(end, HasSubstr("CANCEL"));
  EXPECT_TRUE(pair.client.can_open());
}

awaitable<void> refuse_upload(H2ServerStream stream) {
  stream.respond(403, {{"content-length", "2"}}).has_value();
  co_await stream.write_body("no", EndStream::yes);
}

TEST(H2Stream, RefusalIsReadableByAClientThatStillUploads) {
  H2Pair pair(refuse_upload);
  auto const answer = pair.run(tests::post(pair.client, tests::bulk(4 * 1024 * 1024), {}));
  EXPECT_EQ(answer.head.value().status, 403);
  EXPECT_EQ(answer.body.value(), "no");
}

TEST(H2Stream, OutlivesItsConnection) {
  auto pair = std::make_unique<H2Pair>(read_nothing);
  auto& io = pair->io;
  std::optional<H2ClientStream> stream = tests::open_stream(pair->client, "POST", EndStream::no);
  pair->client_stream.close();
  tests::run(io, stream->wait_until_cut());
  EXPECT_FALSE(tests::run(io, stream->write_body("x")));
  EXPECT_FALSE(tests::run(io, stream->read_body()));
  stream.reset();
}

}  // namespace
}  // namespace sallyport::proxy
