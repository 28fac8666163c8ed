#include "proxy/opening.hpp"

#include "base/limits.hpp"
#include "tests/proxy/client_hello_samples.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using tests::StreamPair;

constexpr std::chrono::seconds kPatience{20};

/// What a client is that sends `bytes` and then the end of the stream.
Opening opening_of(std::string const& bytes) {
  StreamPair pair;
  tests::send_all(pair.client.get(), bytes);
  tests::shutdown_send(pair.client.get());
  return tests::run(pair.io, read_opening(pair.stream, kPatience));
}

TEST(Opening, ClientHelloIsLookedAtAndNotConsumed) {
  StreamPair pair;
  auto const hello = samples::openssl_hello({.sni = "a.example"});
  tests::send_all(pair.client.get(), hello);
  auto const opening = tests::run(pair.io, read_opening(pair.stream, kPatience));
  ASSERT_TRUE(std::holds_alternative<ClientHello>(opening));
  EXPECT_EQ(std::get<ClientHello>(opening).sni->str(), "a.example");
  EXPECT_EQ(pair.stream.buffered(), hello);
}

TEST(Opening, HttpIsToldByItsFirstByteAndNotConsumed) {
  StreamPair pair;
  tests::send_all(pair.client.get(), "G");
  EXPECT_TRUE(std::holds_alternative<HttpOpening>(tests::run(pair.io, read_opening(pair.stream, kPatience))));
  EXPECT_EQ(pair.stream.buffered(), "G");
}

TEST(Opening, NothingSentIsNoRefusal) { EXPECT_TRUE(std::holds_alternative<NothingSent>(opening_of(""))); }

struct Refused {
  std::string name, bytes;
  std::string_view reason;
};

TEST(Opening, EverythingElseIsRefused) {
  auto const hello = samples::openssl_hello({.sni = "a.example"});
  for (auto const& [name, bytes, reason] : std::vector<Refused>{
           {"lower case", "get / HTTP/1.1\r\n\r\n", reason::kNotTls},
           {"zeros", std::string("\0\0\1\1", 4), reason::kNotTls},
           {"a line end", "\r\nGET / HTTP/1.1\r\n\r\n", reason::kNotTls},
           {"SOCKS", std::string("\5\1\0", 3), reason::kNotTls},
           {"a record that is no ClientHello", samples::records(samples::handshake(2, "server hello")), reason::kNotTls},
           {"half a ClientHello", hello.substr(0, hello.size() / 2), reason::kBadRequest},
           {"one byte of TLS", "\x16", reason::kBadRequest},
       }) {
    SCOPED_TRACE(name);
    auto const opening = opening_of(bytes);
    ASSERT_TRUE(std::holds_alternative<Refusal>(opening));
    EXPECT_EQ(std::get<Refusal>(opening).verdict.reason, reason);
    EXPECT_EQ(std::get<Refusal>(opening).status, 400);
  }
}

TEST(Opening, SilentClientIsWaitedForSoLong) {
  StreamPair pair;
  auto const first = tests::run(pair.io, wait_first_byte(pair.stream, std::chrono::milliseconds(1)));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, Code::limit);
}

TEST(Opening, ByteThatIsBufferedAlreadyIsNotWaitedFor) {
  StreamPair pair;
  tests::send_all(pair.client.get(), "x");
  for (auto const wait : {tests::kPatience, std::chrono::seconds(0)}) {
    EXPECT_TRUE(tests::run(pair.io, wait_first_byte(pair.stream, wait))) << wait.count();
  }
}

TEST(Opening, RequestHeadIsConsumedAndWhatIsBehindItStays) {
  StreamPair pair;
  tests::send_all(pair.client.get(), "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\nbehind");
  auto const head = tests::run(pair.io, read_request_head(pair.stream, kPatience));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->method, "GET");
  EXPECT_EQ(pair.stream.buffered(), "behind");
}

struct BadHead {
  std::string name, bytes;
  int status;
  std::string_view reason;
};

TEST(Opening, RequestHeadThatCannotBeReadHasAStatus) {
  std::string const large(limits::kMaxHeadBytes, 'a');
  for (auto const& [name, bytes, status, reason] : std::vector<BadHead>{
           {"malformed", "GET\r\n\r\n", 400, reason::kBadRequest},
           {"ends early", "GET / HT", 400, reason::kBadRequest},
           {"long target", "GET /" + large, 414, reason::kTooLarge},
           {"long field", "GET / HTTP/1.1\r\nA: " + large, 431, reason::kTooLarge},
       }) {
    SCOPED_TRACE(name);
    StreamPair pair;
    tests::send_all(pair.client.get(), bytes);
    tests::shutdown_send(pair.client.get());
    auto const head = tests::run(pair.io, read_request_head(pair.stream, kPatience));
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().status, status);
    EXPECT_EQ(head.error().verdict.reason, reason);
  }
}

}  // namespace
}  // namespace sallyport::proxy
