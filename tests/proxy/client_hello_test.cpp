#include "proxy/client_hello.hpp"

#include "base/limits.hpp"
#include "client_hello_samples.hpp"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;
using namespace samples;

/// Parses `wire`, and checks that every prefix waits for more and that bytes behind it do not count.
ClientHello ok(std::string const& wire) {
  for (std::size_t cut = 0; cut<wire.size(); cut += wire.size()> 4096 ? 997 : 1) {
    EXPECT_TRUE(std::holds_alternative<NeedMore>(parse_client_hello(wire.substr(0, cut)))) << "cut " << cut;
  }
  auto step = parse_client_hello(wire + "\x17\x03\x03"s);
  if (auto const* error = std::get_if<Error>(&step)) ADD_FAILURE() << error->what;
  auto* parsed = std::get_if<ClientHello>(&step);
  if (!parsed) return {};
  EXPECT_EQ(parsed->wire_bytes, wire.size());
  return std::move(*parsed);
}

std::string sni_of(ClientHello const& parsed) { return parsed.sni ? parsed.sni->str() : "(none)"; }

/// `wire` is refused with `code`, and no prefix of it is taken for a ClientHello.
void bad(std::string const& wire, Code code = Code::invalid) {
  auto const step = parse_client_hello(wire);
  ASSERT_TRUE(std::holds_alternative<Error>(step));
  EXPECT_EQ(std::get<Error>(step).code, code) << std::get<Error>(step).what;
  for (std::size_t cut = 0; cut<wire.size(); cut += wire.size()> 4096 ? 997 : 1) {
    EXPECT_FALSE(std::holds_alternative<ClientHello>(parse_client_hello(wire.substr(0, cut)))) << "cut " << cut;
  }
}

void bad_extensions(std::string_view extensions) { bad(records(hello(extensions))); }
void bad_name(std::string_view name) { bad_extensions(server_name(name)); }

TEST(ClientHello, ReadsWhatOpenSslSends) {
  auto const tls13 = ok(openssl_hello({"registry.example", {"h2", "http/1.1"}}));
  EXPECT_EQ(sni_of(tls13), "registry.example");
  EXPECT_EQ(tls13.alpn, (std::vector<std::string>{"h2", "http/1.1"}));
  EXPECT_FALSE(tls13.encrypted_client_hello);
  EXPECT_EQ(sni_of(ok(openssl_hello({"a.example", {}, TLS1_2_VERSION, TLS1_2_VERSION}))), "a.example");
  EXPECT_EQ(sni_of(ok(openssl_hello({"a.example", {}, TLS1_3_VERSION, TLS1_3_VERSION}))), "a.example");
  auto const no_sni = ok(openssl_hello({std::nullopt, {"h2"}}));
  EXPECT_EQ(sni_of(no_sni), "(none)");
  EXPECT_EQ(no_sni.alpn, (std::vector<std::string>{"h2"}));
}

TEST(ClientHello, SeesTheNameThatOpenSslSees) {
  for (std::string const name : {"a.example", "UPPER.Example", "x", "xn--bcher-kva.example", "with_underscore.example"}) {
    for (auto const& wire : {openssl_hello({name}), records(hello(server_name(name) + alpn({"h2"})), 7, 3)}) {
      auto const theirs = openssl_sees_name(wire);
      ASSERT_TRUE(theirs) << name;
      EXPECT_EQ(sni_of(ok(wire)), policies::CanonicalHost::from(*theirs)->str()) << name;
    }
  }
  EXPECT_FALSE(openssl_sees_name(openssl_hello({})));
}

TEST(ClientHello, EverySplitIntoRecordsGivesTheSameHello) {
  std::string const message = openssl_hello({"a.example", {"h2"}}).substr(5);
  for (std::size_t cut = 1; cut < message.size(); ++cut) {
    std::string const wire = records(message.substr(0, cut)) + records(message.substr(cut));
    auto const step = parse_client_hello(wire);
    ASSERT_TRUE(std::holds_alternative<ClientHello>(step)) << cut;
    EXPECT_EQ(sni_of(std::get<ClientHello>(step)), "a.example");
    EXPECT_EQ(std::get<ClientHello>(step).wire_bytes, wire.size());
  }
  for (std::size_t const fragment : {1, 2, 3, 4, 5, 64, 255})
    EXPECT_EQ(sni_of(ok(records(message, fragment))), "a.example");
}

TEST(ClientHello, TakesEveryRecordVersionThatClientsSend) {
  for (std::uint8_t minor = 0; minor <= 3; ++minor)
    EXPECT_EQ(sni_of(ok(records(hello(server_name("a.example")), 99, minor))), "a.example");
}

TEST(ClientHello, ReadsThroughGreaseAndPostQuantumKeyShares) {
  std::string const grease = extension(0x0a0a, "") + extension(0xfafa, u8(0));
  std::string const groups = extension(10, vector16(u16(0x2a2a) + u16(0x11ec) + u16(29)));
  std::string const shares = u16(0x2a2a) + vector16(u8(0)) + u16(0x11ec) + vector16(std::string(1216, 'k')) + u16(29) +
                             vector16(std::string(32, 'x'));
  std::string const padding = extension(21, std::string(200, '\0'));
  std::string const pre_shared_key = extension(41, std::string(150, 'p'));
  auto const message = hello(grease + groups + server_name("a.example") + extension(51, vector16(shares)) +
                             alpn({"\x0a\x0a", "h2"}) + padding + pre_shared_key);
  EXPECT_GT(message.size(), 1700U);
  for (std::size_t const fragment : {1, 536, 1300, 16384}) {
    auto const parsed = ok(records(message, fragment));
    EXPECT_EQ(sni_of(parsed), "a.example");
    EXPECT_EQ(parsed.alpn, (std::vector<std::string>{"\x0a\x0a", "h2"}));
  }
}

TEST(ClientHello, ReportsEncryptedClientHelloBesideTheOuterName) {
  auto const parsed = ok(records(hello(extension(0xfe0d, std::string(200, 'e')) + server_name("outer.example"))));
  EXPECT_TRUE(parsed.encrypted_client_hello);
  EXPECT_EQ(sni_of(parsed), "outer.example");
  EXPECT_TRUE(ok(records(hello(extension(0xfe0d, "")))).encrypted_client_hello);
}

TEST(ClientHello, ReadsHellosLongerThanARecord) {
  std::string const padding = extension(21, std::string(40'000, '\0'));
  EXPECT_EQ(sni_of(ok(records(hello(padding + server_name("a.example"))))), "a.example");
}

TEST(ClientHello, WithoutExtensionsHasNoName) {
  std::string const body = "\x03\x03"s + std::string(32, 'r') + vector8("") + vector16(u16(0x002f)) + vector8(u8(0));
  EXPECT_EQ(sni_of(ok(records(handshake(1, body)))), "(none)");
  EXPECT_EQ(sni_of(ok(records(hello("")))), "(none)");
}

TEST(ClientHello, RefusesNamesThatAreNotCanonical) {
  EXPECT_EQ(sni_of(ok(records(hello(server_name("GitHub.COM"))))), "github.com");
  bad_name("");
  bad_name("a.example.");
  bad_name(".");
  bad_name("192.0.2.1");
  bad_name("::1");
  bad_name("[::1]");
  bad_name("0x7f.1");
  bad_name("a.example\0"s);
  bad_name("a.example\0.b.example"s);
  bad_name("a.example:443");
  bad_name("a b.example");
  bad_name("*.example");
  bad_name(
      "b\xc3\xbc"
      "cher.example");
  bad_name(
      "a\xe3\x80\x82"
      "example");  // U+3002
  bad_name(std::string(64, 'a') + ".example");
  bad_name(std::string(300, 'a'));
}

TEST(ClientHello, RefusesMoreThanOneName) {
  std::string const entry = u8(0) + vector16("a.example");
  bad_extensions(server_name("a.example") + server_name("b.example"));
  bad_extensions(server_name("a.example") + server_name("a.example"));
  bad_extensions(extension(0, vector16(entry + entry)));
  bad_extensions(extension(0, vector16(u8(1) + vector16("a.example"))));
  bad_extensions(extension(0, vector16(entry + u8(1) + vector16("b.example"))));
  bad_extensions(alpn({"h2"}) + alpn({"h2"}));
}

TEST(ClientHello, RefusesLengthsThatDoNotAddUp) {
  bad_extensions(extension(0, ""));
  bad_extensions(extension(0, vector16("")));
  bad_extensions(extension(0, vector16(u8(0) + vector16("a.example")) + "x"));
  bad_extensions(extension(0, vector16(u8(0) + u16(10) + "a.example")));
  bad_extensions(extension(16, ""));
  bad_extensions(extension(16, vector16("")));
  bad_extensions(extension(16, vector16(vector8(""))));
  bad_extensions(extension(16, vector16("\x05"
                                        "h2")));
  bad_extensions("\x00"s);
  bad_extensions(u16(21) + u16(1));
  std::string const fixed = "\x03\x03"s + std::string(32, 'r');
  std::string const rest = vector16(u16(0x1301)) + vector8(u8(0));
  bad(records(handshake(1, "")));
  bad(records(handshake(1, fixed)));
  bad(records(handshake(1, fixed + vector8(std::string(33, 's')) + rest)));
  bad(records(handshake(1, fixed + vector8("") + vector16("") + vector8(u8(0)))));
  bad(records(handshake(1, fixed + vector8("") + vector16("odd") + vector8(u8(0)))));
  bad(records(handshake(1, fixed + vector8("") + vector16(u16(0x1301)) + vector8(""))));
  bad(records(handshake(1, fixed + vector8("") + rest + vector16("") + "x")));
  bad(records(handshake(1, fixed + vector8("") + rest + "x")));
  bad(records(handshake(1, "\x02\x00"s + std::string(32, 'r') + vector8("") + rest)));
}

TEST(ClientHello, RefusesWhatIsNotAClientHelloAtItsFirstBytes) {
  bad("\x80\x2e\x01\x03\x01");  // SSLv2
  bad("SSH-2.0-OpenSSH_9.2\r\n");
  bad("GET / HTTP/1.1\r\n");
  bad("\x15\x03\x03\x00\x02\x02\x28"s);  // alert
  bad("\x16\x02");
  bad("\x16\x03\x05");
  bad("\x16\x03\x01\x00\x00"s);               // empty record
  bad("\x16\x03\x01\x40\x01"s, Code::limit);  // longer than 2^14
  bad("\x16\x03\x01\x00\x04\x02"s);           // ServerHello
}

TEST(ClientHello, RefusesOtherBytesInAndBehindTheMessage) {
  std::string const message = hello(server_name("a.example"));
  std::string const first = records(message.substr(0, 50));
  bad(first + "\x14\x03\x03\x00\x01\x01"s + records(message.substr(50)));  // ChangeCipherSpec in between
  bad(first + "\x17\x03\x03\x00\x01x"s);
  bad(first + "\x16\x03\x01\x00\x00"s + records(message.substr(50)));
  bad(records(message + "x"));
  bad(first + records(message.substr(50) + hello("")));
}

TEST(ClientHello, BoundsMessageAndRecords) {
  bad("\x16\x03\x01\x40\x00\x01\x01\x00\x01"s, Code::limit);  // announces 65537 bytes
  auto const cut = [](std::size_t fragments) {
    auto const unpadded = hello(extension(21, "")).size();
    return records(hello(extension(21, std::string(fragments - unpadded, '\0'))), 1);
  };
  ok(cut(limits::kMaxClientHelloRecords));
  bad(cut(limits::kMaxClientHelloRecords + 1), Code::limit);
}

TEST(ClientHello, SniffsTls) {
  EXPECT_TRUE(looks_like_tls("\x16"));
  EXPECT_TRUE(looks_like_tls("\x16\x03\x01"));
  EXPECT_FALSE(looks_like_tls("\x16\x02"));
  EXPECT_FALSE(looks_like_tls("G"));
  EXPECT_FALSE(looks_like_tls("\x05\x01"));
}

}  // namespace
}  // namespace sallyport::proxy
