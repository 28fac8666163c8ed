#include "dlp/trail.hpp"

#include "detector_cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp {
namespace {

using test::builtin_setup;
using test::example;
using testing::Contains;
using testing::IsEmpty;

std::vector<std::string> texts_at(std::vector<Trail::Value> const& values, std::string_view place) {
  std::vector<std::string> texts;
  for (auto const& value : values) {
    if (value.place == place) texts.push_back(value.text);
  }
  return texts;
}

/// Sends values one after another; which detector spoke, of the first that did.
std::string found_in(Trail& trail, std::vector<std::vector<Trail::Value>> const& messages) {
  for (auto const& values : messages) {
    auto const findings = trail.look(builtin_setup(), values);
    if (!findings.empty()) return findings[0].detector;
    trail.add(values);
  }
  return "";
}

TEST(Trail, AllWaysToCutATokenInThreeEndAtItsLastPart) {
  auto const token = example("ghp_<b62*30><crc62>");
  for (std::size_t first = 3; first < token.size() - 6; ++first) {
    auto const second = first + (token.size() - first) / 2;
    Trail trail;
    std::vector<std::vector<Trail::Value>> const messages = {{{"p", token.substr(0, first)}}, {{"p", token.substr(first, second - first)}}, {{"p", token.substr(second)}}};
    EXPECT_EQ(found_in(trail, messages), "github-pat") << first;
  }
}

TEST(Trail, APartThatWasRefusedIsRefusedAgain) {
  auto const token = example("ghp_<b62*30><crc62>");
  Trail trail;
  trail.add({{"p", token.substr(0, 20)}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(trail.look(builtin_setup(), {{"p", token.substr(20)}}).size(), 1U);
}

TEST(Trail, WhatStandsInOneMessageOrAnotherPlaceIsNotItsAffair) {
  auto const token = example("ghp_<b62*30><crc62>");
  Trail trail;
  EXPECT_EQ(found_in(trail, {{{"p", "first"}}, {{"p", token}}, {{"p", "third"}}}), "") << "it was seen in its own message";
  EXPECT_EQ(found_in(trail, {{{"a", token.substr(0, 20)}}, {{"b", token.substr(20)}}}), "");
}

TEST(Trail, TheSameValueAgainIsNoNews) {
  auto const token = example("ghp_<b62*30><crc62>");
  Trail trail;
  auto const head = [&](std::string const& part) { return std::vector<Trail::Value>{{"agent", "curl/8"}, {"p", part}}; };
  EXPECT_EQ(found_in(trail, {head(token.substr(0, 20)), head(token.substr(0, 20)), head(token.substr(20))}), "github-pat");
}

TEST(Trail, MemoryIsBounded) {
  Trail trail;
  std::string const early(2 * Trail::kMaxPlaceBytes, 'a');
  trail.add({{"p", early}});
  for (std::size_t i = 0; i < 2 * Trail::kMaxPlaces; ++i) trail.add({{"q" + std::to_string(i), "value"}});
  auto const token = example("ghp_<b62*30><crc62>");
  trail.add({{"p", token.substr(0, 20)}});
  EXPECT_EQ(trail.look(builtin_setup(), {{"p", token.substr(20)}}).size(), 1U) << "a place that was forgotten begins anew";
}

TEST(Trail, LongNamesAndValuesAreFollowedInBoundedMemory) {
  auto const token = example("ghp_<b62*30><crc62>");
  std::string const name(5000, 'n'), filling(5000, '-');
  auto const head = [&](std::string const& value) { return head_values("GET /?" + name + "=" + value + " HTTP/1.1\r\n\r\n"); };
  EXPECT_LE(head("abc").front().place.size(), 100U);
  Trail trail;
  EXPECT_EQ(found_in(trail, {head(filling + token.substr(0, 20)), head(token.substr(20) + filling)}), "github-pat");
  Trail again;
  EXPECT_EQ(found_in(again, {head(filling), head(filling), head(token.substr(0, 20)), head(token.substr(20) + filling)}), "github-pat");
}

TEST(Trail, AHeadHasPlaces) {
  auto const values = head_values("GET /a/part-one/x?p12=abc&flag&q=1 HTTP/1.1\r\nHost: a.example\r\nX-Part-7: seven\r\nUser-Agent: curl 8\r\n\r\n");
  EXPECT_THAT(texts_at(values, "path 2"), Contains("part-one"));
  EXPECT_THAT(texts_at(values, "query p"), Contains("abc"));
  EXPECT_THAT(texts_at(values, "query "), Contains("flag"));
  EXPECT_THAT(texts_at(values, "field x-part-"), Contains("seven"));
  EXPECT_THAT(texts_at(values, "field user-agent"), IsEmpty()) << "words with blanks";
  EXPECT_THAT(texts_at(values, "query q"), IsEmpty()) << "too short to be a part of anything";
}

TEST(Trail, ABodyHasPlacesAndALongOneNone) {
  EXPECT_THAT(texts_at(body_values(R"({"n":1,"data":"abcdef"})"), "body 0"), Contains("abcdef"));
  EXPECT_THAT(texts_at(body_values("abcdef"), "body 0"), Contains("abcdef"));
  EXPECT_THAT(texts_at(body_values("d=YWJjZGVm"), "decoded body 0"), Contains("abcdef")) << "cut first, coded then";
  EXPECT_THAT(body_values(std::string(kMaxFollowedBody + 1, 'a')), IsEmpty());
}

/// What clients say anyway: heads that differ in random parts hold no secret together.
TEST(Trail, OrdinaryTrafficShowsNothing) {
  Trail trail;
  for (int i = 0; i < 500; ++i) {
    auto const id = example("<hex*40>", i), other = example("<b62*22>", i + 1000);
    auto const values = head_values("GET /" + other + "/-/pkg-" + std::to_string(i) + ".tgz?etag=" + id + " HTTP/1.1\r\nX-Request-Id: " + other + "\r\n\r\n");
    EXPECT_THAT(trail.look(builtin_setup(), values), IsEmpty()) << i;
    trail.add(values);
  }
}

}  // namespace
}  // namespace sallyport::dlp
