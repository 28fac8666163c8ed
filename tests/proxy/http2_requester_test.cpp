#include "proxy/http2_requester.hpp"

#include "tests/proxy/http2_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using audit::EgressRequest;
using proxy::Chunked;
using proxy::EndStream;
using proxy::H2ServerStream;
using testing::HasSubstr;

constexpr std::uint32_t kCancel = 8;

using Http2Requester = Http2Bench;

awaitable<void> inform_first(H2ServerStream stream) {
  stream.inform(103, {{"link", "</style.css>"}}).has_value();
  stream.respond(204, {}, EndStream::yes).has_value();
  co_return;
}

TEST_F(Http2Requester, InterimResponsesArePassedOn) {
  serve(inform_first);
  Http2Client client(*gateway_, kHost);
  auto stream = client.open("GET", "/ok/");
  auto const early = client.run(stream.read_response_head()).value();
  EXPECT_EQ(early.status, 103);
  EXPECT_EQ(early.field("link"), "</style.css>");
  EXPECT_EQ(client.run(stream.read_response_head()).value().status, 204);
}

awaitable<void> wait_for_reset(H2ServerStream stream, std::atomic<int>& resets, bool with_head) {
  if (with_head) stream.respond(200, {}).has_value();
  co_await stream.wait_until_cut();
  ++resets;
}

TEST_F(Http2Requester, ServerHearsOfAClientThatGivesUp) {
  for (bool const with_head : {false, true}) {
    std::atomic<int> resets{0};
    serve([&](H2ServerStream stream) {
      return stream.request()->head.method == "GET" ? answer_path(std::move(stream)) : wait_for_reset(std::move(stream), resets, with_head);
    });
    Http2Client client(*gateway_, kHost);
    {
      auto stream = client.open("POST", "/ok/", Chunked{});
      EXPECT_TRUE(client.run(stream.write_body("begun")));
      if (with_head) {
        EXPECT_EQ(client.run(stream.read_response_head()).value().status, 200);
      }
      while (origin_->requests() == 0) EXPECT_EQ(client.get("/other").status, 403);  // the gateway had time
    }
    EXPECT_EQ(client.get("/ok/").status, 200) << "the connection goes on";
    auto const done = gateway_->wait_for<EgressDone>(2);
    EXPECT_THAT(done.front().error + done.back().error, testing::AnyOf(HasSubstr("gave the request up"), HasSubstr("CANCEL")));
    EXPECT_EQ(resets, 1);
    EXPECT_EQ(origin_->connections(), 1);
  }
}

awaitable<void> break_off(H2ServerStream stream, std::uint32_t code) {
  stream.respond(200, {}).has_value();
  co_await stream.write_body("half");
  stream.reset(code);
}

TEST_F(Http2Requester, ResponseThatIsBrokenOffIsBrokenOffForTheClient) {
  for (auto const& [server, client_sees] : {std::pair{8U, 8U}, std::pair{11U, 11U}, std::pair{1U, 2U}, std::pair{2U, 2U}}) {
    serve([code = server](H2ServerStream stream) { return break_off(std::move(stream), code); });
    Http2Client client(*gateway_, kHost);
    auto stream = client.open("GET", "/ok/");
    EXPECT_FALSE(client.finish(stream).body);
    EXPECT_EQ(stream.reset_code(), client_sees);
    EXPECT_THAT(error_of_end(), HasSubstr("response body"));
  }
}

awaitable<void> reset_at_once(H2ServerStream stream, std::uint32_t code) {
  stream.reset(code);
  co_return;
}

TEST_F(Http2Requester, ServerThatResetsInsteadOfAnsweringIsABadGateway) {
  serve([](H2ServerStream stream) { return reset_at_once(std::move(stream), kCancel); });
  Http2Client client(*gateway_, kHost);
  auto const answer = client.get("/ok/");
  EXPECT_EQ(answer.status, 502);
  EXPECT_EQ(answer.reason, "connect_failed");
  EXPECT_EQ(origin_->requests(), 1) << "nobody knows whether it was carried out";
}

TEST_F(Http2Requester, RequestTheServerHasNotLookedAtIsSentOnceMore) {
  constexpr std::uint32_t kRefusedStream = 7;
  std::atomic<int> seen{0};
  serve([&seen](H2ServerStream stream) {
    return ++seen == 1 ? reset_at_once(std::move(stream), kRefusedStream) : answer_path(std::move(stream));
  });
  Http2Client client(*gateway_, kHost);
  auto stream = client.open("DELETE", "/ok/1");
  EXPECT_EQ(client.finish(stream).body.value(), "DELETE /ok/1 a.example.com");
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(gateway_->wait_for<EgressRequest>(1).size(), 1U) << "one request, one verdict";
}

TEST_F(Http2Requester, ConnectionTheServerShutsDownIsUsedNoMore) {
  serve(echo_stream);
  Http2Client client(*gateway_, kHost);
  auto under_way = client.open("POST", "/ok/", Chunked{});
  EXPECT_EQ(client.run(under_way.read_response_head()).value().status, 200);
  origin_->shut_down();
  EXPECT_TRUE(client.run(under_way.write_body("ping")));
  EXPECT_EQ(client.run(under_way.read_body()).value(), "ping");  // behind the GOAWAY
  EXPECT_EQ(client.get("/ok/").status, 200);
  EXPECT_EQ(origin_->connections(), 2);
  EXPECT_TRUE(client.run(under_way.finish()));
  EXPECT_EQ(client.run(under_way.read_body()).value(), "");
}

}  // namespace
}  // namespace sallyport::tests
