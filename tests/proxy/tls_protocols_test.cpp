#include "proxy/tls_protocols.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sallyport::proxy {
namespace {

struct Choice {
  int result;
  std::string protocol;
};

Choice choose(std::string_view offered) {
  unsigned char const* chosen = nullptr;
  unsigned char size = 0;
  int const result = select_protocol(nullptr, &chosen, &size, reinterpret_cast<unsigned char const*>(offered.data()),
                                     static_cast<unsigned>(offered.size()), nullptr);
  return {result, chosen == nullptr ? "" : std::string(reinterpret_cast<char const*>(chosen), size)};
}

TEST(TlsProtocols, WhatWeSpeakIsChosenAndNothingElse) {
  EXPECT_EQ(choose("\x08http/1.1\x02h2").protocol, "h2");
  EXPECT_EQ(choose("\x02h2").protocol, "h2");
  EXPECT_EQ(choose("\x08http/1.1").protocol, "http/1.1");
  EXPECT_EQ(choose("\x04imap").result, SSL_TLSEXT_ERR_ALERT_FATAL);
}

TEST(TlsProtocols, ServersAreOfferedWhatTheRequestCanUse) {
  EXPECT_EQ(protocols_for_servers(ServerProtocols::http1), "\x08http/1.1");
  EXPECT_EQ(protocols_for_servers(ServerProtocols::http2_or_http1), "\x02h2\x08http/1.1");
}

TEST(TlsProtocols, AlertOfAServerThatSpeaksNoneOfThem) {
  EXPECT_TRUE(is_no_common_protocol(120));
  EXPECT_FALSE(is_no_common_protocol(48));
  EXPECT_FALSE(is_no_common_protocol(std::nullopt));
}

}  // namespace
}  // namespace sallyport::proxy
