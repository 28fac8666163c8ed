#include "proxy/h2_client.hpp"

#include "tests/proxy/h2_frames.hpp"
#include "tests/proxy/h2_pair.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <list>
#include <memory>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using namespace asio::experimental::awaitable_operators;
using testing::HasSubstr;
using tests::H2Answer;
using tests::H2Pair;

TEST(H2ClientConnection, SixteenMebibytesUpAndDownAreByteExact) {
  auto const bytes = tests::bulk(16 * 1024 * 1024 + 1);
  H2Pair pair(tests::echo_stream);
  auto const answer = pair.run(tests::post(pair.client, bytes, {{"sum", "7"}}));
  EXPECT_EQ(answer.head.value().status, 200);
  EXPECT_EQ(answer.head.value().body, BodyKind{Chunked{}});
  EXPECT_TRUE(answer.body.value() == bytes);
  EXPECT_EQ(answer.trailers, (std::vector<Field>{{"sum", "7"}}));
}

awaitable<void> count_answer(H2ClientStream stream, std::string body, int& right) {
  auto written = co_await stream.write_body(body, EndStream::yes);
  auto answer = co_await tests::read_all(stream);
  if (written && answer && *answer == body) ++right;
}

TEST(H2ClientConnection, AHundredStreamsAtOnceAndNotOneMore) {
  H2Pair pair(tests::echo_stream);
  pair.run(pair.client.wait_for_settings());
  std::list<H2ClientStream> open;
  while (pair.client.can_open()) open.push_back(tests::open_stream(pair.client, "POST", EndStream::no));
  EXPECT_EQ(open.size(), 100U);
  int right = 0;
  for (std::size_t size = 50'000; !open.empty(); ++size, open.pop_front()) {
    pair.tasks.start(count_answer(std::move(open.front()), tests::bulk(size), right));
  }
  while (right < 100 && pair.io.run_one() != 0) {}
  EXPECT_EQ(right, 100);
}

TEST(H2ClientConnection, LimitOfTheServerIsKept) {
  H2Limits few;
  few.max_streams = 2;
  H2Pair pair(tests::echo_stream, few);
  pair.run(pair.client.wait_for_settings());
  std::list<H2ClientStream> open;
  open.push_back(tests::open_stream(pair.client, "POST", EndStream::no));
  EXPECT_TRUE(pair.client.can_open());
  open.push_back(tests::open_stream(pair.client, "POST", EndStream::no));
  EXPECT_FALSE(pair.client.can_open());
  EXPECT_EQ(pair.client.open(tests::h2_head("GET"), tests::h2_target()).error().code, Code::limit);
}

awaitable<void> answer_in_pieces(H2ServerStream stream) {
  stream.inform(103, {{"link", "</style.css>"}}).has_value();
  co_await sleep_for(0ms);
  stream.respond(200, {{"content-length", "2"}}).has_value();
  co_await stream.write_body("ok", EndStream::yes);
}

awaitable<std::vector<int>> read_heads(H2ClientStream stream) {
  std::vector<int> statuses;
  do {
    auto head = co_await stream.read_response_head();
    if (!head) break;
    statuses.push_back(head->status);
  } while (statuses.back() < 200);
  co_return statuses;
}

TEST(H2ClientConnection, InterimResponsesComeFirst) {
  H2Pair pair(answer_in_pieces);
  auto stream = tests::open_stream(pair.client, "GET", EndStream::yes);
  EXPECT_EQ(pair.run(read_heads(std::move(stream))), (std::vector<int>{103, 200}));
}

awaitable<void> inform_without_end(H2ServerStream stream) {
  while (stream.inform(103, {})) co_await sleep_for(0ms);
}

TEST(H2ClientConnection, InterimResponsesWithoutEndAreCutOff) {
  H2Pair pair(inform_without_end);
  auto stream = tests::open_stream(pair.client, "GET", EndStream::yes);
  pair.run(stream.wait_until_cut());
  EXPECT_EQ(stream.cut()->code, Code::limit);
}

awaitable<void> answer_protocol(H2ServerStream stream) {
  auto const& request = stream.request().value();
  stream.respond(200, {{"x-protocol", request.protocol}, {"x-method", request.head.method}}, EndStream::no).has_value();
  co_await stream.finish();
}

TEST(H2ClientConnection, ExtendedConnectCarriesItsProtocol) {
  H2Pair pair(answer_protocol);
  pair.run(pair.client.wait_for_settings());
  ASSERT_TRUE(pair.client.offers_extended_connect());
  auto stream = pair.client.open(tests::h2_head("GET"), tests::h2_target("/chat"), {EndStream::no, "websocket"}).value();
  auto const head = pair.run(stream.read_response_head()).value();
  EXPECT_EQ(head.field("x-protocol"), "websocket");
  EXPECT_EQ(head.field("x-method"), "CONNECT");
}

/// A server of raw frames.
struct RawServer {
  explicit RawServer(H2Limits bounds = H2Limits::for_servers()) : connection(pair.stream, bounds) {
    tests::send_all(pair.client.get(), tests::h2::wire({tests::h2::settings, 0, 0, ""}));
    tasks.start(tests::keep_result(ended, connection.run()));
    tests::run(pair.io, connection.wait_for_settings());
  }
  ~RawServer() {
    pair.stream.close();
    pair.io.restart();
    pair.io.run();
  }
  void send(tests::h2::Frame const& frame) { tests::send_all(pair.client.get(), tests::h2::wire(frame)); }

  tests::StreamPair pair;
  TaskSet tasks{pair.io.get_executor(), tests::H2Server::rethrow};
  std::optional<Result<void>> ended;
  H2ClientConnection connection;
};

std::string status_block() { return tests::h2::field(":status", "200"); }

TEST(H2ClientConnection, GoawaySaysWhichRequestsMayBeSentAgain) {
  RawServer server;
  auto seen = tests::open_stream(server.connection, "GET", EndStream::yes);
  auto unseen = tests::open_stream(server.connection, "GET", EndStream::yes);
  server.send({tests::h2::goaway, 0, 0, tests::h2::u32(1) + tests::h2::u32(0)});
  tests::run(server.pair.io, unseen.wait_until_cut());
  EXPECT_TRUE(unseen.refused());
  EXPECT_FALSE(server.connection.can_open());
  EXPECT_EQ(seen.cut(), nullptr);
  server.send({tests::h2::headers, tests::h2::kEndHeaders | tests::h2::kEndStream, 1, status_block()});
  EXPECT_EQ(tests::run(server.pair.io, seen.read_response_head()).value().status, 200);
  EXPECT_FALSE(seen.refused());
}

TEST(H2ClientConnection, RefusedStreamMayBeSentAgainAndOtherResetsMayNot) {
  for (auto const& [code, refused] : {std::pair{7U, true}, std::pair{2U, false}, std::pair{8U, false}}) {
    RawServer server;
    auto stream = tests::open_stream(server.connection, "GET", EndStream::yes);
    server.send({tests::h2::rst_stream, 0, 1, tests::h2::u32(code)});
    EXPECT_FALSE(tests::run(server.pair.io, stream.read_response_head()));
    EXPECT_EQ(stream.refused(), refused);
  }
}

TEST(H2ClientConnection, ConnectionThatIsCutFailsItsStreams) {
  RawServer server;
  auto stream = tests::open_stream(server.connection, "GET", EndStream::yes);
  tests::shutdown_send(server.pair.client.get());
  auto const head = tests::run(server.pair.io, stream.read_response_head());
  EXPECT_EQ(head.error().code, Code::closed);
  EXPECT_FALSE(stream.refused());
  EXPECT_FALSE(server.connection.can_open());
  EXPECT_EQ(server.ended->error().code, Code::closed);
}

TEST(H2ClientConnection, ResponseThatIsNoHttpIsAnError) {
  for (auto const& block : {tests::h2::field("x", "1"), tests::h2::field(":status", "2000"),
                            status_block() + tests::h2::field("connection", "close"),
                            status_block() + tests::h2::field("content-length", "1") + tests::h2::field("content-length", "1")}) {
    RawServer server;
    auto stream = tests::open_stream(server.connection, "GET", EndStream::yes);
    server.send({tests::h2::headers, tests::h2::kEndHeaders, 1, block});
    EXPECT_EQ(tests::run(server.pair.io, stream.read_response_head()).error().code, Code::invalid);
  }
}

TEST(H2ClientConnection, BodyThatIsCutDoesNotPassForAWholeOne) {
  RawServer server;
  auto stream = tests::open_stream(server.connection, "GET", EndStream::yes);
  server.send({tests::h2::headers, tests::h2::kEndHeaders, 1, status_block()});
  server.send({tests::h2::data, 0, 1, "half"});
  server.send({tests::h2::rst_stream, 0, 1, tests::h2::u32(2)});
  EXPECT_TRUE(tests::run(server.pair.io, stream.read_response_head()));
  auto const block = tests::run(server.pair.io, stream.read_body());
  EXPECT_TRUE(!block || *block == "half");
  EXPECT_FALSE(tests::run(server.pair.io, stream.read_body()));
}

TEST(H2ClientConnection, FetchesFromNghttpd) {
  test::TempDir const folder;
  auto const bytes = tests::bulk(1024 * 1024 + 1);  // its log of the frames has to fit into a pipe
  std::ofstream(folder.path() / "file", std::ios::binary) << bytes;
  std::uint16_t port = 0;
  { port = tests::port_of(tests::bound_socket(tests::SocketKind::stream)); }
  test::Process server({{"/usr/sbin/nghttpd", "--no-tls", "-v", "-d", folder.path().string(), std::to_string(port)}});
  ASSERT_TRUE(server.wait_for_output("listen", 10s));
  asio::io_context io;
  Socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), port});
  Stream stream(std::move(socket));
  H2ClientConnection client(stream, H2Limits::for_servers());
  TaskSet tasks(io.get_executor(), tests::H2Server::rethrow);
  std::optional<Result<void>> ended;
  tasks.start(tests::keep_result(ended, client.run()));
  {
    auto request = client.open(tests::h2_head("GET"), tests::h2_target("/file"), {EndStream::yes, {}}).value();
    EXPECT_EQ(tests::run(io, request.read_response_head()).value().body, BodyKind{ContentLength{bytes.size()}});
    EXPECT_TRUE(tests::run(io, tests::read_all(request)).value() == bytes);
  }
  stream.close();
  io.restart();
  io.run();
  server.send_signal(SIGTERM);
}

}  // namespace
}  // namespace sallyport::proxy
