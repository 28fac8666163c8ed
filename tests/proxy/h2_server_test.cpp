#include "proxy/h2_server.hpp"

#include "tests/proxy/h2_frames.hpp"
#include "tests/proxy/h2_pair.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using namespace tests::h2;
using testing::HasSubstr;
using tests::H2Server;

/// What the client's end received until the connection ended.
std::vector<Frame> run_and_receive(H2Server& server) {
  server.run_to_end();
  tests::shutdown_send(server.pair.stream.socket().native_handle());
  return frames_of(tests::receive_to_end(server.pair.client.get()));
}

TEST(H2ServerConnection, FloodIsAnsweredWithGoawayAndNamed) {
  H2Limits bounds;
  bounds.control_frames = 100;
  H2Server server(tests::echo_stream, bounds);
  std::string pings;
  for (int i = 0; i < 150; ++i) pings += wire({ping, 0, 0, "12345678"});
  tests::send_all(server.pair.client.get(), opening() + pings);
  auto const frames = run_and_receive(server);
  EXPECT_EQ(error_of(frames, goaway), "11");
  EXPECT_EQ(server.ended->error().code, Code::limit);
  EXPECT_THAT(server.ended->error().what, HasSubstr("flood"));
}

TEST(H2ServerConnection, OrderlyCloseIsNoError) {
  H2Server server(tests::echo_stream);
  tests::send_all(server.pair.client.get(), opening() + request(1, get_block()) + wire({goaway, 0, 0, u32(0) + u32(0)}));
  EXPECT_TRUE(server.run_to_end());
}


awaitable<void> wait_for_cut(H2ServerStream stream, std::string& seen) {
  co_await stream.wait_until_cut();
  seen = stream.cut()->what;
}

TEST(H2ServerConnection, HandlersHearThatTheClientWentAway) {
  std::string seen;
  H2Server server([&seen](H2ServerStream stream) { return wait_for_cut(std::move(stream), seen); });
  tests::send_all(server.pair.client.get(), opening() + request(1, get_block()));
  tests::shutdown_send(server.pair.client.get());
  EXPECT_EQ(server.run_to_end().error().code, Code::closed);
  EXPECT_THAT(seen, HasSubstr("closed"));
}

TEST(H2ServerConnection, HandlersHearAReset) {
  std::string seen;
  H2Server server([&seen](H2ServerStream stream) { return wait_for_cut(std::move(stream), seen); });
  tests::send_all(server.pair.client.get(), opening() + request(1, get_block()) + wire({rst_stream, 0, 1, u32(8)}));
  while (seen.empty() && server.pair.io.run_one() != 0) {}
  EXPECT_THAT(seen, HasSubstr("CANCEL"));
}

TEST(H2ServerConnection, ConnectionWithoutStreamsIsShutDown) {
  H2Limits bounds;
  bounds.keep_alive_timeout = 10ms;
  H2Server server(tests::echo_stream, bounds);
  tests::send_all(server.pair.client.get(), opening() + wire({headers, kEndStream, 1, field("x", "1")}));  // a head that never ends
  auto const frames = run_and_receive(server);
  EXPECT_EQ(error_of(frames, goaway), "0");
  EXPECT_TRUE(*server.ended);
}

TEST(H2ServerConnection, PeerThatReadsNothingIsGivenUp) {
  H2Limits bounds;
  bounds.stall_timeout = 50ms;
  bounds.control_frames = bounds.max_unsent_acks = 10'000'000;
  H2Server server(tests::echo_stream, bounds);
  std::string pings = opening();
  for (int i = 0; i < 10'000; ++i) pings += wire({ping, 0, 0, "12345678"});
  std::thread sender([&] {
    while (tests::send_all(server.pair.client.get(), pings)) pings.erase(0, pings.starts_with("PRI") ? 33 : 0);
  });
  auto const ended = server.run_to_end();
  server.pair.stream.reset();
  sender.join();
  EXPECT_EQ(ended.error().code, Code::limit);
  EXPECT_THAT(ended.error().what, HasSubstr("read nothing"));
}

awaitable<void> answer_bad_request(H2ServerStream stream) {
  auto const& request = stream.request();
  int const status = request ? 200 : request.error().code == Code::limit ? 431 : 400;
  co_await sleep_for(0ms);
  stream.respond(status, {}, EndStream::yes).has_value();
}

TEST(H2ServerConnection, BadHeadsReachTheHandlerWhichAnswersThem) {
  H2Limits bounds;
  bounds.header_list_bytes = 1000;
  H2Server server(answer_bad_request, bounds);
  tests::send_all(server.pair.client.get(),
                  opening() + request(1, get_block(field("host", "b.example"))) +
                      request(3, get_block(field("x", std::string(1000, 'x')))) +
                      wire({goaway, 0, 0, u32(0) + u32(0)}));
  EXPECT_TRUE(server.run_to_end());
  tests::shutdown_send(server.pair.stream.socket().native_handle());
  auto const received = tests::receive_to_end(server.pair.client.get());
  EXPECT_THAT(received, HasSubstr("\x8c"));  // the static table's :status 400
  EXPECT_EQ(error_of(frames_of(received), rst_stream), "none");
}

struct Cancelled {
  bool handler_ended = false;
  std::string seen_by_handler;
};

awaitable<void> use_after_cut(H2ServerStream stream, Cancelled& result) {
  co_await stream.wait_until_cut();
  co_await sleep_for(1ms);
  result.handler_ended = true;
}

awaitable<void> run_with_deadline(H2ServerConnection& connection, Cancelled& result) {
  H2ServerConnection::Handler handler = [&result](H2ServerStream stream) { return use_after_cut(std::move(stream), result); };
  auto ended = co_await with_deadline(20ms, "the connection", connection.run(std::move(handler)));
  result.seen_by_handler = result.handler_ended ? "ended before run() did" : "still at work";
}

TEST(H2ServerConnection, CancelledRunWaitsForItsHandlers) {
  tests::StreamPair pair;
  TaskSet tasks(pair.io.get_executor(), H2Server::rethrow);
  H2ServerConnection connection(pair.stream, {}, tasks);
  Cancelled result;
  tests::send_all(pair.client.get(), opening() + request(1, get_block()));
  tests::run(pair.io, run_with_deadline(connection, result));
  EXPECT_EQ(result.seen_by_handler, "ended before run() did");
}

/// Runs `argv` against a server with this handler; "PORT" in an argument stands for its port.
test::Outcome run_client(std::vector<std::string> argv, H2ServerConnection::Handler handler) {
  asio::io_context io;
  auto const listener = tests::bound_socket(tests::SocketKind::stream);
  for (auto& argument : argv) {
    if (auto const at = argument.find("PORT"); at != std::string::npos) argument.replace(at, 4, std::to_string(tests::port_of(listener)));
  }
  test::Outcome outcome;
  std::thread client([&] { outcome = test::run_command({argv}); });
  auto stream = tests::accepted_without_delay(io, listener);
  TaskSet tasks(io.get_executor(), H2Server::rethrow);
  H2ServerConnection connection(stream, {}, tasks);
  tests::run(io, connection.run(std::move(handler))).has_value();
  stream.close();
  client.join();
  io.restart();
  io.run();
  return outcome;
}

TEST(H2ServerConnection, CurlGetsBackWhatItSends) {
  test::TempDir const folder;
  auto const sent = folder.path() / "sent", received = folder.path() / "received";
  auto const bytes = tests::bulk(16 * 1024 * 1024 + 1);
  std::ofstream(sent, std::ios::binary) << bytes;
  auto const outcome = run_client({"curl", "-sS", "--http2-prior-knowledge", "--data-binary", "@" + sent.string(), "-o", received.string(),
                                   "-w", "%{http_version} %{http_code}", "http://127.0.0.1:PORT/"},
                                  tests::echo_stream);
  EXPECT_EQ(outcome.out, "2 200") << outcome.err;
  std::ifstream file(received, std::ios::binary);
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(file), {}) == bytes);
}

TEST(H2ServerConnection, H2loadKeepsAHundredStreamsOpen) {
  auto const outcome = run_client({"h2load", "-n", "3000", "-c", "1", "-m", "100", "http://127.0.0.1:PORT/"}, tests::echo_stream);
  EXPECT_THAT(outcome.out, HasSubstr("3000 succeeded, 0 failed, 0 errored")) << outcome.err;
}

}  // namespace
}  // namespace sallyport::proxy
