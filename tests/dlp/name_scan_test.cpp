#include "dlp/name_scan.hpp"

#include "detector_cases.hpp"
#include "dlp/verdict.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::builtin_setup;
using test::example;

TEST(NameScan, FindsTheNameOfAMessage) {
  EXPECT_EQ("a.b.example.net", name_in("https://a.b.example.net/path"));
  EXPECT_EQ("a.b.example.net", name_in("ws://user:word@a.b.example.net:8080"));
  EXPECT_EQ("a.b.example.net", name_in("a.b.example.net"));
  EXPECT_EQ("a.b.example.net", name_in("a.b.example.net\n"));
  EXPECT_EQ("a.b.example.net", name_in("GET / HTTP/1.1\r\nHost: a.b.example.net\r\nAccept: */*\r\n\r\n"));
  for (auto text : {"", "see a.b.example.net", "POST / HTTP/1.1\r\n\r\n\nHost: a.b.example.net", "{\"a\": \"https://example.net\"}"}) EXPECT_EQ("", name_in(text)) << text;
}

Action action_of(std::string_view text, Destination const& destination) {
  return judge_all(scan_at(builtin_setup(), text, destination.place), destination).action;
}

TEST(NameScan, ReadsLabelsTogetherInUrlsAndHeads) {
  auto const token = example("npm_<b62*30><crc62>");
  std::string digits;
  for (char c : token) digits += "0123456789abcdef"[c >> 4], digits += "0123456789abcdef"[c & 15];
  auto const name = digits.substr(0, 50) + "." + digits.substr(50) + ".t.cdn.example.net";
  EXPECT_EQ(Action::block, action_of("https://" + name + "/x?y", {Place::url}));
  EXPECT_EQ(Action::block, action_of("https://a:b@" + name + ":8443", {Place::body}));
  EXPECT_EQ(Action::block, action_of("GET / HTTP/1.1\r\nHost: " + name + "\r\n\r\n", {Place::header}));
  EXPECT_EQ(Action::block, action_of(name, {Place::body}));
  auto const numbered = "0-" + digits.substr(0, 40) + ".1-" + digits.substr(40) + ".ns1.example.net";
  EXPECT_EQ(Action::block, action_of(numbered, {Place::dns}));
  EXPECT_EQ(Action::allow, action_of("see " + name, {Place::body})) << "prose names hosts, and does not ask for them";
}

}  // namespace
}  // namespace sallyport::dlp
