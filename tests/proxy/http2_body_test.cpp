#include "proxy/http2_body.hpp"

#include "dlp/example.hpp"
#include "tests/proxy/grpc_messages.hpp"
#include "tests/proxy/http2_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using proxy::Chunked;
using proxy::Field;
using proxy::H2ClientStream;
using proxy::H2ServerStream;
using namespace asio::experimental::awaitable_operators;

using Http2Body = Http2Bench;

awaitable<Result<void>> send_all_of(H2ClientStream& stream, std::string_view body, std::vector<Field> trailers) {
  auto written = co_await stream.write_body(body);
  if (!written) co_return written;
  co_return co_await stream.finish(std::move(trailers));
}

awaitable<Http2Client::Answer> post_all(H2ClientStream& stream, std::string_view body, std::vector<Field> trailers) {
  auto [sent, head, answer] = co_await (send_all_of(stream, body, std::move(trailers)) && stream.read_response_head() && read_all(stream));
  co_return Http2Client::Answer{head ? head->status : 0, {}, std::move(answer), stream.trailers()};
}

TEST_F(Http2Body, BulkAndTrailersPassBothWaysByteExact) {
  serve(echo_stream);
  auto const bytes = bulk(64 * 1024 * 1024 + 1);
  Http2Client client(*gateway_, kHost);
  auto stream = client.open("POST", "/ok/", Chunked{});
  auto const answer = client.run(post_all(stream, bytes, {{"sum", "7"}}));
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.body.value() == bytes) << "the body changed on the way";
  EXPECT_EQ(answer.trailers, (std::vector<Field>{{"sum", "7"}}));
  auto const done = gateway_->wait_for<EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].bytes_up, bytes.size());
  EXPECT_EQ(done[0].bytes_down, bytes.size());
}

/// The response begins before the request ends, and the request goes on behind the response's head.
TEST_F(Http2Body, MessagesGoToAndFroWhileBothSidesAreOpen) {
  serve(echo_stream);
  Http2Client client(*gateway_, kHost);
  auto stream = client.open("POST", "/ok/", Chunked{});
  EXPECT_EQ(client.run(stream.read_response_head()).value().status, 200);
  for (std::string const ball : {"ping", "pong", "a third"}) {
    EXPECT_TRUE(client.run(stream.write_body(ball)));
    EXPECT_EQ(client.run(stream.read_body()).value(), ball);
  }
  EXPECT_TRUE(client.run(stream.finish()));
  EXPECT_EQ(client.run(stream.read_body()).value(), "");
}

/// What the server may send is bounded by the windows on its way, not by what the client would take one day.
TEST_F(Http2Body, SlowClientHoldsTheServerBack) {
  std::atomic<std::size_t> sent{0};
  serve([&sent](H2ServerStream stream) {
    return stream.request()->head.method == "POST" ? send_without_end(std::move(stream), sent) : answer_path(std::move(stream));
  });
  Http2Client client(*gateway_, kHost);
  auto stream = client.open("POST", "/ok/");
  EXPECT_EQ(client.run(stream.read_response_head()).value().status, 200);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.get("/ok/").status, 200) << "other streams go on";
  EXPECT_LE(sent, 3U * 1024 * 1024) << "a window to the gateway, one to the client, and what is between";
  EXPECT_GT(sent, 512U * 1024);
}

constexpr char kInspected[] = "  - {name: full, hosts: ['*.example.com']}\n";

H2ClientStream call(Http2Client& client) {
  return client.open("POST", "/test.Echo/Bidi", Chunked{}, {{"content-type", "application/grpc"}, {"te", "trailers"}});
}

awaitable<void> echo_grpc(H2ServerStream stream, std::string& te) {
  te = stream.request()->head.field("te").value_or("none");
  co_await echo_stream(std::move(stream));
}

TEST_F(Http2Body, GrpcMessagesOfAnOpenStreamAreJudgedAndSentOneByOne) {
  std::string te;
  serve([&te](H2ServerStream stream) { return echo_grpc(std::move(stream), te); }, kInspected);
  Http2Client client(*gateway_, kHost);
  auto stream = call(client);
  EXPECT_EQ(client.run(stream.read_response_head()).value().status, 200) << "the server speaks first";
  EXPECT_EQ(te, "trailers");
  for (std::string const text : {"ping", "pong", ""}) {
    EXPECT_TRUE(client.run(stream.write_body(grpc_message(text))));
    EXPECT_EQ(client.run(stream.read_body()).value(), grpc_message(text));
  }
  EXPECT_TRUE(client.run(stream.finish({{"x-sum", "7"}})));
  EXPECT_EQ(client.run(stream.read_body()).value(), "");
  EXPECT_EQ(stream.trailers(), (std::vector<Field>{{"x-sum", "7"}}));
}

TEST_F(Http2Body, GrpcMessageWithASecretIsNotSentAndEndsTheCall) {
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  serve(echo_stream, kInspected);
  Http2Client client(*gateway_, kHost);
  auto stream = call(client);
  EXPECT_EQ(client.run(stream.read_response_head()).value().status, 200);
  EXPECT_TRUE(client.run(stream.write_body(grpc_message("ping"))));
  EXPECT_EQ(client.run(stream.read_body()).value(), grpc_message("ping"));
  EXPECT_TRUE(client.run(stream.write_body(grpc_message("k=" + secret))));
  EXPECT_FALSE(client.run(stream.read_body()));
  EXPECT_EQ(gateway_->wait_for<EgressDone>(1).at(0).reason, "secret_found");
}

}  // namespace
}  // namespace sallyport::tests
