#include "proxy/socks5_client.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

struct Asked {
  Result<void> result;
  std::string sent;
  std::string rest;  // what was left on the stream
};

/// The proxy answers before it is asked: its answers wait in the kernel.
Asked ask(std::string const& answers, std::string const& url = "socks5h://proxy.example:1080",
          std::string const& host = "a.example") {
  tests::StreamPair pair;
  auto const proxy = policies::parse_upstream_proxy(url).value();
  tests::send_all(pair.client.get(), answers);
  tests::shutdown_send(pair.client.get());
  auto result = tests::run(pair.io, open_by_socks5(pair.stream, proxy, policies::CanonicalHost::from(host).value(), 443));
  std::string rest(pair.stream.buffered());
  pair.stream.shutdown_send();
  return {result, tests::receive_to_end(pair.client.get()), rest};
}

std::string const kOpened = "\5\0\0\1\0\0\0\0\0\0"s;

TEST(Socks5Client, AsksByNameAndLeavesWhatFollows) {
  auto const asked = ask("\5\0"s + kOpened + "SSH-2");
  EXPECT_TRUE(asked.result);
  EXPECT_EQ(asked.sent, "\5\1\0\5\1\0\3\x09"s + "a.example" + "\x01\xbb");
  EXPECT_EQ(asked.rest, "SSH-2");
}

TEST(Socks5Client, AsksByAddressOfEitherFamily) {
  EXPECT_EQ(ask("\5\0"s + kOpened, "socks5://p:1", "192.0.2.7").sent, "\5\1\0\5\1\0\1\xc0\0\2\7\x01\xbb"s);
  auto const six = ask("\5\0"s + kOpened, "socks5://p:1", "2001:db8::7").sent;
  EXPECT_EQ(six, "\5\1\0\5\1\0\4\x20\x01\x0d\xb8"s + std::string(11, '\0') + "\7\x01\xbb");
}

TEST(Socks5Client, SendsThePasswordWhenAskedForIt) {
  auto const asked = ask("\5\2\1\0"s + kOpened, "socks5h://me:hunter2@p:1");
  EXPECT_TRUE(asked.result);
  EXPECT_THAT(asked.sent, testing::StartsWith("\5\2\0\2\1\2me\7hunter2"s));
}

TEST(Socks5Client, BoundAddressOfAnyTypeIsSkipped) {
  EXPECT_EQ(ask("\5\0\5\0\0\3\3abc\0\0x"s).rest, "x");
  EXPECT_EQ(ask("\5\0\5\0\0\4"s + std::string(18, '\0') + "x").rest, "x");
}

TEST(Socks5Client, RefusalsSayWhy) {
  EXPECT_THAT(ask("\5\0\5\2\0\1"s).result.error().what, HasSubstr("not allowed"));
  EXPECT_THAT(ask("\5\0\5\x7f\0\1"s).result.error().what, HasSubstr("127"));
  EXPECT_THAT(ask("\5\xff"s).result.error().what, HasSubstr("wants a user and password"));
  EXPECT_THAT(ask("\5\2"s).result.error().what, HasSubstr("wants a user and password")) << "we offered none";
  auto const wrong = ask("\5\2\1\1"s, "socks5h://me:hunter2@p:1").result.error();
  EXPECT_EQ(wrong.code, Code::denied);
  EXPECT_THAT(wrong.what, testing::Not(HasSubstr("hunter2")));
}

TEST(Socks5Client, WhatIsNoSocks5OrEndsEarlyIsAnError) {
  EXPECT_EQ(ask("HTTP/1.1 400 Bad Request\r\n").result.error().code, Code::invalid);
  EXPECT_EQ(ask("\5\0\4\0\0\1"s).result.error().code, Code::invalid);
  EXPECT_EQ(ask("\5\0\5\0\0\7"s).result.error().code, Code::invalid);
  for (std::size_t bytes = 0; bytes < 2 + kOpened.size(); ++bytes) {
    EXPECT_EQ(ask(("\5\0"s + kOpened).substr(0, bytes)).result.error().code, Code::closed) << bytes;
  }
}

}  // namespace
}  // namespace sallyport::proxy
