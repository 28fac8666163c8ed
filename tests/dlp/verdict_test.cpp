#include "dlp/verdict.hpp"

#include "detector_cases.hpp"
#include "dlp/base_n.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::builtin_setup;
using test::example;

Action action_of(std::string_view text, Destination const& destination) {
  return judge_all(scan_at(builtin_setup(), text, destination.place), destination).action;
}

TEST(Verdict, TokenMayGoToItsVendorOnly) {
  auto token = example("ghp_<b62*30><crc62>");
  for (auto host : {"github.com", "api.github.com", "uploads.github.com"}) {
    EXPECT_EQ(Action::allow, action_of(token, {Place::header, host})) << host;
  }
  for (auto host : {"example.com", "notgithub.com", "github.com.example.net", ""}) {
    EXPECT_EQ(Action::block, action_of(token, {Place::header, host})) << host;
  }
}

TEST(Verdict, LookAlikeIsBlockedInUrlsHeadsAndNamesAndAnAlertInBodies) {
  auto token = example("ghp_<b62*36>");
  EXPECT_EQ(Action::alert, action_of(token, {Place::body}));
  for (auto place : {Place::url, Place::header}) EXPECT_EQ(Action::block, action_of(token, {place}));
  EXPECT_EQ(Action::block, action_of(token + ".example.com", {Place::dns}));
  EXPECT_EQ(Action::allow, action_of(token, {Place::url, "api.github.com"}));
}

TEST(Verdict, GuessIsAnAlert) {
  EXPECT_EQ(Action::alert, action_of("app_secret = " + example("<b62*32>"), {Place::body}));
  EXPECT_EQ(Action::alert, action_of(example("AKIA<aws>"), {Place::url}));
}

TEST(Verdict, NothingFoundIsAllowed) { EXPECT_EQ(Action::allow, action_of("hello", {Place::url})); }

TEST(Verdict, SecretSpreadOverTheLabelsOfANameIsFound) {
  auto token = example("ghp_<b62*30><crc62>");
  EXPECT_EQ(Action::block, action_of(token.substr(0, 20) + "." + token.substr(20) + ".evil.test", {Place::dns}));
  auto coded = to_base32(token);
  EXPECT_EQ(Action::block,
            action_of("www.test\n" + coded.substr(0, 40) + "." + coded.substr(40) + ".x.evil.test\n", {Place::dns}));
  EXPECT_EQ(Action::allow, action_of("registry.npmjs.org\na.b.c.d.example.com\n", {Place::dns}));
}

TEST(Verdict, PlacesHaveNames) {
  EXPECT_EQ(Place::dns, place_of("dns"));
  EXPECT_FALSE(place_of("nowhere"));
}

TEST(Verdict, TokenIsItsVendorsWhateverStandsAroundIt) {
  auto const token = example("hf_<let*34>");
  for (auto const& text : {"Authorization: Bearer " + token, "https://user:" + token + "@huggingface.co/repo", "machine huggingface.co login me password " + token}) {
    EXPECT_EQ(Action::allow, action_of(text, {Place::header, "huggingface.co"})) << text;
    EXPECT_EQ(Action::block, action_of(text, {Place::header, "example.net"})) << text;
  }
  EXPECT_EQ(Action::block, action_of("Authorization: Bearer " + example("ghp_<b62*36>"), {Place::header, "example.net"})) << "a look-alike";
}

}  // namespace
}  // namespace sallyport::dlp
