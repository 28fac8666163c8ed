#include "proxy/socks5.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy::socks5 {
namespace {

using namespace std::string_literals;

std::string by_name(std::string_view name, std::string_view port = {"\x01\xbb", 2}) {
  return "\x05\x01\x00\x03"s + static_cast<char>(name.size()) + std::string(name) + std::string(port);
}

/// Every prefix waits for more; the whole gives `host` and `port`, whatever comes behind it.
void ok(std::string const& wire, std::string_view host, std::uint16_t port) {
  for (std::size_t cut = 0; cut < wire.size(); ++cut) {
    EXPECT_TRUE(std::holds_alternative<NeedMore>(parse_request(wire.substr(0, cut)))) << host << " cut " << cut;
  }
  auto const step = parse_request(wire + "\x16\x03\x01");
  ASSERT_TRUE(std::holds_alternative<ConnectRequest>(step)) << host;
  auto const& request = std::get<ConnectRequest>(step);
  EXPECT_EQ(request.host.str(), host);
  EXPECT_EQ(request.port, port);
  EXPECT_EQ(request.bytes, wire.size());
}

/// The whole is refused with `reply`, and so is every prefix that is not waiting for more.
void bad(std::string const& wire, Reply reply) {
  for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
    auto const step = parse_request(wire.substr(0, cut));
    auto const* refusal = std::get_if<Refusal>(&step);
    if (cut < wire.size() && std::holds_alternative<NeedMore>(step)) continue;
    ASSERT_TRUE(refusal) << wire << " cut " << cut;
    EXPECT_EQ(refusal->reply, reply) << refusal->error.what;
  }
}

TEST(Socks5, TakesNamesAndAddresses) {
  ok(by_name("a.example"), "a.example", 443);
  ok(by_name("A.Example."), "a.example", 443);
  ok(by_name("a.example", "\xff\xff"), "a.example", 65535);
  ok("\x05\x01\x00\x01\xc0\x00\x02\x01\x00\x50"s, "192.0.2.1", 80);
  ok("\x05\x01\x00\x04\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x00\x50"s, "2001:db8::1", 80);
  ok("\x05\x01\x00\x04\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\x00\x00\x01\x00\x50"s, "127.0.0.1", 80);  // v4-mapped
}

TEST(Socks5, RefusesNamesThatTwoParsersCouldReadInTwoWays) {
  bad(by_name("evil.example\0.a.example"s), Reply::not_allowed);
  bad(by_name("a.example\0"s), Reply::not_allowed);
  bad(by_name("a.example\r\n"), Reply::not_allowed);
  bad(by_name("a..example"), Reply::not_allowed);
  bad(by_name("a.example:443"), Reply::not_allowed);
  bad(by_name(" a.example"), Reply::not_allowed);
  bad(by_name("a%2eexample"), Reply::not_allowed);
  bad(by_name("u@a.example"), Reply::not_allowed);
  bad(by_name("2130706433"), Reply::not_allowed);
  bad(by_name("0x7f.1"), Reply::not_allowed);
  bad(by_name("fe80::1%eth0"), Reply::not_allowed);
  bad(by_name(""), Reply::not_allowed);
  bad(by_name(std::string(64, 'a') + ".example"), Reply::not_allowed);
  bad(by_name("a.example", {"\0\0", 2}), Reply::not_allowed);
}

TEST(Socks5, RefusesWhatIsNotConnectByItsOwnCode) {
  bad("\x05\x02\x00\x01\x00\x00\x00\x00\x00\x50"s, Reply::command_not_supported);
  bad("\x05\x03\x00\x01\x00\x00\x00\x00\x00\x50"s, Reply::command_not_supported);
  bad("\x05\x01\x00\x02\x00"s, Reply::address_type_not_supported);
  bad("\x05\x01\x01\x03"s, Reply::general_failure);
  bad("\x04\x01\x00\x50\xc0\x00\x02\x01\x00"s, Reply::general_failure);  // SOCKS4
}

TEST(Socks5, ReadsTheGreeting) {
  auto const greeting = [](std::string_view wire) { return parse_greeting(wire); };
  std::string const wire = "\x05\x02\x02\x00"s;
  for (std::size_t cut = 0; cut < wire.size(); ++cut) {
    EXPECT_TRUE(std::holds_alternative<NeedMore>(greeting(wire.substr(0, cut)))) << cut;
  }
  auto const step = greeting(wire + "\x05");
  ASSERT_TRUE(std::holds_alternative<Greeting>(step));
  EXPECT_TRUE(std::get<Greeting>(step).no_authentication);
  EXPECT_EQ(std::get<Greeting>(step).bytes, 4U);
  auto const password_only = greeting("\x05\x01\x02");
  ASSERT_TRUE(std::holds_alternative<Greeting>(password_only));
  EXPECT_FALSE(std::get<Greeting>(password_only).no_authentication);
  EXPECT_TRUE(std::holds_alternative<Error>(greeting("\x04")));
  EXPECT_TRUE(std::holds_alternative<Error>(greeting("\x05\x00"s)));
}

TEST(Socks5, WritesItsAnswers) {
  EXPECT_EQ(method_reply(Greeting{true, 3}), "\x05\x00"s);
  EXPECT_EQ(method_reply(Greeting{false, 3}), "\x05\xff"s);
  EXPECT_EQ(reply(Reply::succeeded), "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s);
  EXPECT_EQ(reply(Reply::not_allowed), "\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"s);
}

}  // namespace
}  // namespace sallyport::proxy::socks5
