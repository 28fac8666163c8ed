#include "proxy/tunnel_answer.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using audit::Leg;
using namespace std::string_literals;

struct Heard {
  std::string bytes;
  tests::End end = tests::End::none;
};

/// What the client hears of `answer`, and how the stream ends.
template <class Answer>
Heard heard(Answer answer) {
  tests::StreamPair pair;
  Heard result;
  std::thread client([&] {
    result.bytes = tests::receive_to_end(pair.client.get());
    result.end = tests::wait_end(pair.client.get());
    tests::shutdown_send(pair.client.get());
  });
  tests::run(pair.io, answer(pair.stream));
  client.join();
  EXPECT_FALSE(pair.stream.socket().is_open());
  return result;
}

Heard heard_before_it_opened(Leg leg, Refusal const& refusal) {
  return heard([&](Stream& stream) { return answer_refused(stream, refusal, {leg, "a.example", "application/json"}); });
}

TEST(TunnelAnswer, OpenedTunnelSaysSoInTheClientsProtocol) {
  EXPECT_THAT(std::string(opened_answer(Leg::connect)), testing::StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(std::string(opened_answer(Leg::connect)), testing::EndsWith("\r\n\r\n"));
  EXPECT_EQ(opened_answer(Leg::socks5), "\5\0\0\1\0\0\0\0\0\0"s);
  EXPECT_EQ(opened_answer(Leg::transparent), "");
}

TEST(TunnelAnswer, RefusedConnectIsAnHttpAnswerToTheEnd) {
  auto const client = heard_before_it_opened(Leg::connect, refusal(403, reason::kNoRule, "why"));
  EXPECT_THAT(client.bytes, testing::StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(client.bytes, testing::HasSubstr("Sallyport-Reason: no_rule\r\n"));
  EXPECT_THAT(client.bytes, testing::HasSubstr("a.example"));
  EXPECT_EQ(client.end, tests::End::orderly);
}

struct SocksCase {
  std::string_view reason;
  char reply;
};

TEST(TunnelAnswer, RefusedSocksHasTheReplyOfItsReason) {
  for (auto const& [why, reply] : std::vector<SocksCase>{
           {reason::kNoRule, 2},
           {reason::kAddressClass, 2},
           {reason::kResolveFailed, 4},
           {reason::kInternal, 1},
       }) {
    SCOPED_TRACE(why);
    auto const client = heard_before_it_opened(Leg::socks5, refusal(403, why, ""));
    EXPECT_EQ(client.bytes, "\5"s + reply + "\0\1\0\0\0\0\0\0"s);
    EXPECT_EQ(client.end, tests::End::orderly);
  }
}

TEST(TunnelAnswer, RefusedCapturedConnectionIsResetWithoutAByte) {
  tests::StreamPair pair;
  tests::run(pair.io, answer_refused(pair.stream, refusal(403, reason::kNoRule, ""), {Leg::transparent, "a.example", ""}));
  EXPECT_EQ(tests::wait_end(pair.client.get()), tests::End::reset);
}

struct AlertCase {
  std::string_view reason;
  int status;
  char alert;
};

TEST(TunnelAnswer, RefusedTlsIsAFatalAlert) {
  for (auto const& [why, status, alert] : std::vector<AlertCase>{
           {reason::kSniMismatch, 403, 112},
           {reason::kNoSni, 403, 112},
           {reason::kNoRule, 403, 49},
           {reason::kResolveFailed, 502, 80},
           {reason::kTimeout, 504, 80},
       }) {
    SCOPED_TRACE(why);
    auto const refused = refusal(status, why, "");
    auto const client = heard([&](Stream& stream) { return answer_refused_tls(stream, refused); });
    EXPECT_EQ(client.bytes, "\x15\3\3\0\2\2"s + alert);
    EXPECT_EQ(client.end, tests::End::orderly);
  }
}

}  // namespace
}  // namespace sallyport::proxy
