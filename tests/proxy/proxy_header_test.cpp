#include "proxy/proxy_header.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;

std::string const kSignature = "\r\n\r\n\0\r\nQUIT\n"s;

std::string header(char version_and_command, char family, std::string const& rest) {
  return kSignature + version_and_command + family + static_cast<char>(rest.size() >> 8) +
         static_cast<char>(rest.size() & 0xff) + rest;
}

std::string const kV4 = header(0x21, 0x11, "\xcb\0\x71\x07\x0a\0\0\x01\xde\xad\x0c\x38"s);
std::string const kV6 =
    header(0x21, 0x21, "\x20\x01\x0d\xb8"s + std::string(11, '\0') + "\7" + std::string(16, '\0') + "\0\x50\x0c\x38"s);

std::string client_of(std::string const& bytes) {
  auto const step = parse_proxy_header(bytes);
  if (auto const* error = std::get_if<Error>(&step)) return "error: " + error->what;
  if (std::holds_alternative<NeedMore>(step)) return "more";
  auto const& found = std::get<ProxyHeader>(step);
  return (found.client ? found.client->address.to_string() + " " + std::to_string(found.client->port) : "nobody") + ", " +
         std::to_string(found.bytes);
}

TEST(ProxyHeader, NamesTheClientOfEitherFamily) {
  EXPECT_EQ(client_of(kV4), "203.0.113.7 57005, 28");
  EXPECT_EQ(client_of(kV4 + "CONNECT "), "203.0.113.7 57005, 28") << "what follows is the client's";
  EXPECT_EQ(client_of(kV6), "2001:db8::7 80, 52");
}

TEST(ProxyHeader, ExtensionsAreSkipped) {
  auto const with_tlv = header(0x21, 0x11, kV4.substr(16) + "\x01\0\2h2"s);
  EXPECT_EQ(client_of(with_tlv), "203.0.113.7 57005, 33");
}

TEST(ProxyHeader, BalancerThatSpeaksForItselfOrForNoAddressNamesNobody) {
  EXPECT_EQ(client_of(header(0x20, 0, "")), "nobody, 16");
  EXPECT_EQ(client_of(header(0x21, 0, "")), "nobody, 16");
  EXPECT_EQ(client_of(header(0x21, 0x31, std::string(216, 'x'))), "nobody, 232") << "a Unix socket";
}

TEST(ProxyHeader, NoPrefixIsAHeader) {
  for (auto const& whole : {kV4, kV6}) {
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
      EXPECT_EQ(client_of(whole.substr(0, bytes)), "more") << bytes;
  }
}

TEST(ProxyHeader, WhatCannotBecomeOneIsAnErrorAtOnce) {
  for (auto const& bytes :
       {"G"s, "PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n"s, "\r\n\r\n\0\r\nQUIX"s, header(0x11, 0x11, kV4.substr(16)),
        header(0x22, 0x11, kV4.substr(16)), header(0x21, 0x11, kV4.substr(16, 11)), header(0x21, 0x21, kV4.substr(16)),
        kSignature + "\x21\x11\xff\xff"s}) {
    EXPECT_THAT(client_of(bytes), testing::StartsWith("error: ")) << testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace sallyport::proxy
