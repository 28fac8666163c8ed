#include "proxy/h2_session.hpp"

#include "tests/proxy/h2_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

using namespace tests::h2;
using testing::HasSubstr;

constexpr std::size_t kUnlimited = 1'000'000;

H2Limits without_flood_limits() {
  H2Limits bounds;
  bounds.control_frames = bounds.resets = bounds.max_unsent_acks = kUnlimited;
  bounds.max_continuations = bounds.max_settings = kUnlimited;
  return bounds;
}

struct Peer {
  explicit Peer(H2Limits bounds = {}, H2Side side = H2Side::server) : session(side, bounds, io.get_executor()) {}

  std::vector<Frame> sent() {
    std::string all;
    for (;;) {
      auto const bytes = session.output().value();
      if (bytes.empty()) return frames_of(all);
      all += bytes;
    }
  }

  asio::io_context io;
  H2Session session;
};

/// What a server makes of `bytes` behind the opening.
struct Served : Peer {
  explicit Served(std::string const& bytes, H2Limits bounds = {}) : Peer(bounds), fed(session.feed(opening() + bytes)), frames(sent()) {}
  Result<void> fed;
  std::vector<Frame> frames;
};

std::vector<std::pair<std::uint32_t, std::uint32_t>> settings_of(std::vector<Frame> const& frames) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries;
  std::string_view payload = frames.at(0).payload;
  for (; payload.size() >= 6; payload.remove_prefix(6)) entries.emplace_back(number(payload.substr(0, 2)), number(payload.substr(2, 4)));
  return entries;
}

TEST(H2Session, ServerSaysItsLimits) {
  Peer server;
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(settings_of(server.sent()),
              testing::UnorderedElementsAre(Entry{3, 100}, Entry{4, 256 * 1024}, Entry{6, 64 * 1024}, Entry{1, 4096}, Entry{8, 1}));
}

TEST(H2Session, ClientTakesNoPush) {
  Peer client(H2Limits::for_servers(), H2Side::client);
  auto bytes = std::string(client.session.output().value());
  EXPECT_THAT(bytes, testing::StartsWith("PRI * HTTP/2.0"));
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(settings_of(frames_of(bytes.substr(24))), testing::Contains(Entry{2, 0}));
  EXPECT_TRUE(client.session.feed(wire({settings, 0, 0, ""}) + wire({push_promise, kEndHeaders, 1, u32(2) + get_block()})));
  EXPECT_EQ(error_of(client.sent(), goaway), "1");
}

TEST(H2Session, RequestIsDeliveredWithItsBodyAndTrailers) {
  Served server(request(1, post_block(), 0) + wire({data, 0, 1, "bo"}) + wire({data, 0, 1, "dy"}) + request(1, field("sum", "4")));
  auto const stream = server.session.inbox().take_request();
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->in.request->value().head.method, "POST");
  EXPECT_EQ(stream->in.body, "body");
  EXPECT_TRUE(stream->in.ended);
  EXPECT_EQ(stream->in.trailers, (std::vector<Field>{{"sum", "4"}}));
  server.session.release(*stream);
}

/// RFC 9113 section 8: the stream is reset, and the request is delivered as one to be recorded and refused.
void expect_malformed(std::string const& bytes) {
  Served server(bytes);
  EXPECT_TRUE(server.fed);
  EXPECT_EQ(error_of(server.frames, rst_stream), "1") << bytes;
  auto const stream = server.session.inbox().take_request();
  ASSERT_TRUE(stream) << bytes;
  ASSERT_FALSE(*stream->in.request);
  EXPECT_EQ(stream->in.request->error().code, Code::invalid);
  EXPECT_TRUE(stream->cut);
  server.session.release(*stream);
}

TEST(H2Session, MalformedFieldsResetTheStream) {
  for (auto const* name : {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"}) {
    expect_malformed(request(1, get_block(field(name, "x"))));
  }
  expect_malformed(request(1, get_block(field("te", "gzip"))));
  expect_malformed(request(1, get_block(field("X-Upper", "1"))));
  expect_malformed(request(1, get_block(field("bad name", "1"))));
  expect_malformed(request(1, get_block(field("", "1"))));
  expect_malformed(request(1, get_block(field("x", "a\r\nb: c"))));
  expect_malformed(request(1, get_block(field("x", std::string(1, '\0')))));
  expect_malformed(request(1, get_block(field("x", " leading"))));
  expect_malformed(request(1, get_block(field("content-length", "1") + field("content-length", "2"))));
}

TEST(H2Session, MalformedPseudoFieldsResetTheStream) {
  expect_malformed(request(1, field("x", "1") + get_block()));
  expect_malformed(request(1, get_block(field(":path", "/again"))));
  expect_malformed(request(1, get_block(field(":unknown", "1"))));
  expect_malformed(request(1, get_block(field(":status", "200"))));
  expect_malformed(request(1, field(":method", "GET") + field(":authority", "a.example") + field(":path", "/")));
  expect_malformed(request(1, field(":method", "GET") + field(":authority", "a") + field(":scheme", "http") + field(":path", "")));
  expect_malformed(request(1, field(":method", "GET") + field(":authority", "a") + field(":scheme", "http") + field(":path", "x")));
}

TEST(H2Session, BodyIsHeldToItsLength) {
  for (auto const* body : {"123", "12345"}) {
    Served server(request(1, post_block(field("content-length", "4")), 0) + wire({data, kEndStream, 1, body}));
    EXPECT_EQ(error_of(server.frames, rst_stream), "1");
    auto const stream = server.session.inbox().take_request();
    EXPECT_TRUE(stream->cut);
    server.session.release(*stream);
  }
}

TEST(H2Session, HeaderListAboveTheLimitIsARequestToAnswerWith431) {
  std::string more;
  for (int i = 0; i < 40; ++i) more += field("x" + std::to_string(i), std::string(100, 'x'));
  auto bounds = H2Limits{};
  for (auto const limit : {4000, 8000}) {
    bounds.header_list_bytes = static_cast<std::size_t>(limit);
    Served server(request(1, get_block(more)), bounds);
    auto const stream = server.session.inbox().take_request();
    ASSERT_TRUE(stream);
    EXPECT_EQ(stream->in.request->has_value(), limit == 8000);
    EXPECT_FALSE(stream->cut);
    server.session.release(*stream);
  }
  bounds.header_fields = 40;
  Served server(request(1, get_block(more)), bounds);
  auto const stream = server.session.inbox().take_request();
  EXPECT_EQ(stream->in.request->error().code, Code::limit);
  server.session.release(*stream);
}

/// Ends the connection with ENHANCE_YOUR_CALM, and would not without the limit.
void expect_flood(std::string const& bytes, std::function<void(H2Limits&)> const& limit) {
  auto bounds = without_flood_limits();
  Served open(bytes, bounds);
  EXPECT_TRUE(open.fed) << open.fed.error().what;
  EXPECT_EQ(error_of(open.frames, goaway), "none");
  open.session.end(H2Session::closed());
  limit(bounds);
  Served server(bytes, bounds);
  EXPECT_EQ(error_of(server.frames, goaway), "11");
  ASSERT_TRUE(server.session.inbox().failure());
  EXPECT_EQ(server.session.inbox().failure()->code, Code::limit);
  EXPECT_TRUE(server.session.over());
  server.session.end(H2Session::closed());
}

std::string repeated(int times, std::string const& bytes) {
  std::string all;
  for (int i = 0; i < times; ++i) all += bytes;
  return all;
}

TEST(H2Session, FloodsOfFramesWithoutContentEndTheConnection) {
  auto const few = [](H2Limits& bounds) { bounds.control_frames = 50; };
  expect_flood(repeated(100, wire({ping, 0, 0, "12345678"})), few);
  expect_flood(repeated(100, wire({settings, 0, 0, ""})), few);
  expect_flood(repeated(100, wire({window_update, 0, 0, u32(1)})), few);
  expect_flood(repeated(100, wire({priority, 0, 1, u32(0) + "x"})), few);
  expect_flood(request(1, post_block(), 0) + repeated(100, wire({data, 0, 1, ""})), few);
  expect_flood(request(1, post_block(), 0) + repeated(100, wire({data, 8, 1, std::string("\3\0\0\0", 4)})), few);  // padding only
}

std::string many_streams(int count, std::function<std::string(std::uint32_t)> const& each) {
  std::string all;
  for (int i = 0; i < count; ++i) all += each(static_cast<std::uint32_t>(2 * i + 1));
  return all;
}

TEST(H2Session, RapidResetsEndTheConnection) {
  auto const few = [](H2Limits& bounds) { bounds.resets = 20; };
  expect_flood(many_streams(60, [](auto id) { return request(id, get_block()) + wire({rst_stream, 0, id, u32(8)}); }), few);
}

/// How many bad requests are answered by a reset before the connection ends; `most` if it does not.
std::uint32_t bad_requests_taken(H2Limits bounds, std::uint32_t most) {
  Served server("", bounds);
  std::uint32_t taken = 0;
  while (taken < most && server.session.feed(request(2 * taken + 1, get_block(field("Upper", "1"))))) {
    server.sent();
    server.session.release(*server.session.inbox().take_request());
    ++taken;
  }
  return taken;
}

TEST(H2Session, ResetsThatThePeerMakesUsSendCountAsItsOwn) {
  auto bounds = without_flood_limits();
  EXPECT_EQ(bad_requests_taken(bounds, 60), 60U);
  bounds.resets = 20;
  EXPECT_LT(bad_requests_taken(bounds, 60), 30U);
}

TEST(H2Session, ContinuationFloodEndsTheConnection) {
  auto const start = wire({headers, kEndStream, 1, get_block()});
  expect_flood(start + repeated(40, wire({continuation, 0, 1, ""})), [](H2Limits& bounds) { bounds.max_continuations = 8; });
}

TEST(H2Session, SettingsFrameWithTooManyEntriesEndsTheConnection) {
  expect_flood(wire({settings, 0, 0, repeated(40, std::string("\0\4\0\1\0\0", 6))}), [](H2Limits& bounds) { bounds.max_settings = 32; });
}

TEST(H2Session, AnswersThatNobodyReadsAreBounded) {
  auto const pings = repeated(200, wire({ping, 0, 0, "12345678"}));
  expect_flood(pings, [](H2Limits& bounds) { bounds.max_unsent_acks = 100; });
}

TEST(H2Session, StreamsThatAreWorkedOnCountAlsoWhenTheClientResetThem) {
  H2Limits bounds;
  bounds.max_streams = 3;
  Served server(many_streams(5, [](auto id) { return request(id, get_block()) + wire({rst_stream, 0, id, u32(8)}); }), bounds);
  EXPECT_TRUE(server.fed);
  EXPECT_EQ(server.session.inbox().live(), 3U);
  server.session.release(*server.session.inbox().take_request());
  EXPECT_TRUE(server.session.feed(request(21, get_block()) + request(23, get_block())));
  EXPECT_EQ(server.session.inbox().live(), 3U);
  EXPECT_EQ(error_of(server.sent(), rst_stream), "7");  // REFUSED_STREAM: nothing was done, it may be sent again
  server.session.end(H2Session::closed());
}

TEST(H2Session, ProtocolErrorsEndTheConnectionWithTheirName) {
  Served server(wire({data, 0, 0, "x"}));
  EXPECT_EQ(error_of(server.frames, goaway), "1");
  ASSERT_TRUE(server.session.inbox().failure());
  EXPECT_THAT(server.session.inbox().failure()->what, HasSubstr("PROTOCOL_ERROR"));
  EXPECT_TRUE(server.session.over());
  Peer other;
  EXPECT_FALSE(other.session.feed("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"));
}

TEST(H2Session, WindowOpensOnlyAsTheBodyIsTaken) {
  H2Limits bounds;
  bounds.stream_window = 70'000;
  bounds.connection_window = 100'000;
  std::string const block(16'000, 'x');
  Served server(request(1, post_block(), 0) + repeated(4, wire({data, 0, 1, block})), bounds);
  auto const windows = [](auto const& frames) {
    return std::count_if(frames.begin(), frames.end(), [](Frame const& frame) { return frame.type == window_update && frame.stream == 1; });
  };
  EXPECT_EQ(windows(server.frames), 0);
  auto const stream = server.session.inbox().take_request();
  EXPECT_EQ(server.session.inbox().buffered_bytes(), 64'000U);
  server.session.consume(*stream, 64'000);
  EXPECT_EQ(windows(server.sent()), 1);
  server.session.release(*stream);
}

TEST(H2Session, PeerThatIgnoresTheWindowIsCutOff) {
  H2Limits bounds;
  bounds.stream_window = 65'535;
  Served server(request(1, post_block(), 0) + repeated(5, wire({data, 0, 1, std::string(16'000, 'x')})), bounds);
  auto const fault = error_of(server.frames, rst_stream) + error_of(server.frames, goaway);
  EXPECT_THAT(fault, HasSubstr("3"));  // FLOW_CONTROL_ERROR
  EXPECT_LE(server.session.inbox().buffered_bytes(), 65'535U);
  server.session.end(H2Session::closed());
}

TEST(H2Session, BodyThatNobodyWantsGivesItsWindowBack) {
  H2Limits bounds;
  bounds.connection_window = 70'000;
  Served server(request(1, post_block(), 0) + repeated(3, wire({data, 0, 1, std::string(16'000, 'x')})), bounds);
  auto const stream = server.session.inbox().take_request();
  server.session.release(*stream);
  auto const frames = server.sent();
  EXPECT_EQ(error_of(frames, rst_stream), "2");  // INTERNAL_ERROR: there was no answer
  auto const opens_connection = [](Frame const& frame) { return frame.type == window_update && frame.stream == 0; };
  EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), opens_connection));
}

}  // namespace
}  // namespace sallyport::proxy
