#include "proxy/broker.hpp"

#include "dlp/base_n.hpp"
#include "proxy/sigv4.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using Kind = policies::CredentialSpot::Kind;

constexpr std::string_view kValue = "real-0123456789";
constexpr char kPlaceholder[] = "fake-9876543210";

Broker broker(std::vector<policies::CredentialSpot> spots) {
  std::vector<BrokeredCredential> all;
  auto page = SecretPage::holding({reinterpret_cast<unsigned char const*>(kValue.data()), kValue.size()});
  all.push_back({"KEY", kPlaceholder, *std::move(page), {policies::HostPattern::parse("*.example.com").value()}, std::move(spots)});
  return Broker(std::move(all));
}

struct Asked {
  std::string host = "api.example.com";
  std::string path = "/";
  std::vector<Field> fields{};
  UrlScheme scheme = UrlScheme::https;
};

BrokeredRequest swapped(Broker const& with, Asked const& asked) {
  RequestHead head;
  head.method = "GET";
  head.fields = asked.fields;
  return with.swap(head, {policies::CanonicalHost::from(asked.host).value(), 443, policies::CanonicalPath::from(asked.path).value(), asked.scheme});
}

std::string sent_field(std::vector<policies::CredentialSpot> spots, Field field, Asked asked = {}) {
  asked.fields = {std::move(field)};
  return swapped(broker(std::move(spots)), asked).head.fields[0].value;
}

TEST(Broker, ACopyDoesTheSame) {
  std::vector<BrokeredCredential> all;
  auto page = SecretPage::holding({reinterpret_cast<unsigned char const*>(kValue.data()), kValue.size()});
  all.push_back({"KEY", kPlaceholder, *std::move(page), {policies::HostPattern::parse("*.example.com").value()}, {{Kind::header, "x-key", "{}"}}});
  Broker const copy(copy_of(all).value());
  all.clear();
  EXPECT_EQ(swapped(copy, {.fields = {{"X-Key", kPlaceholder}}}).head.fields[0].value, kValue);
  EXPECT_EQ(copy.placeholder_of("KEY"), kPlaceholder);
}

TEST(Broker, PutsTheValueIntoTheFieldThatIsNamed) {
  EXPECT_EQ(sent_field({{Kind::header, "x-key", "{}"}}, {"X-Key", kPlaceholder}), kValue);
  EXPECT_EQ(sent_field({{Kind::header, "x-key", "{}"}}, {"X-Other", kPlaceholder}), kPlaceholder);
  EXPECT_EQ(sent_field({{Kind::header, "authorization", "Bearer {}"}}, {"Authorization", std::string("Bearer ") + kPlaceholder}),
            "Bearer " + std::string(kValue));
  EXPECT_EQ(sent_field({{Kind::header, "authorization", "Bearer {}"}}, {"Authorization", std::string("Token ") + kPlaceholder}),
            std::string("Token ") + kPlaceholder);
}

TEST(Broker, PutsTheValueIntoBasicCredentials) {
  auto const coded = [](std::string_view secret) { return "Basic " + dlp::to_base64("user:" + std::string(secret)); };
  EXPECT_EQ(sent_field({{Kind::basic, "authorization", "{}"}}, {"Authorization", coded(kPlaceholder)}), coded(kValue));
  EXPECT_EQ(sent_field({{Kind::basic, "authorization", "{}"}}, {"Authorization", coded("other")}), coded("other"));
  EXPECT_EQ(sent_field({{Kind::basic, "authorization", "{}"}}, {"Authorization", "Basic !"}), "Basic !");
}

TEST(Broker, PutsTheValueIntoTheParameterThatIsNamed) {
  auto const with = broker({{Kind::query, "key", "{}"}});
  auto const query = [&](std::string const& text) { return swapped(with, {.path = "/a?" + text}).target.path.query(); };
  EXPECT_EQ(query("a=1&key=" + std::string(kPlaceholder) + "&b=2"), "a=1&key=" + std::string(kValue) + "&b=2");
  EXPECT_EQ(query("other=" + std::string(kPlaceholder)), "other=" + std::string(kPlaceholder));
  EXPECT_EQ(query("key=x" + std::string(kPlaceholder)), "key=x" + std::string(kPlaceholder));
}

TEST(Broker, WhatIsShownHoldsNeitherValueNorPlaceholder) {
  auto const request = swapped(broker({{Kind::header, "x-key", "{}"}, {Kind::query, "key", "{}"}}),
                               {.path = "/?key=" + std::string(kPlaceholder), .fields = {{"X-Key", kPlaceholder}}});
  EXPECT_EQ(request.shown_head.fields[0].value, "{KEY}");
  EXPECT_EQ(request.shown_target.path.query(), "key=KEY");
  EXPECT_EQ(request.used, std::vector<std::string>{"KEY"});
}

TEST(Broker, ANewValueTakesThePlaceOfTheOldWhichStaysForThoseThatHaveIt) {
  auto with = broker({{Kind::header, "x-key", "{}"}});
  auto const held = with.value_of("KEY");
  std::string_view const newer = "newer-value-0123456789";
  with.replace("KEY", SecretPage::holding({reinterpret_cast<unsigned char const*>(newer.data()), newer.size()}).value());
  with.replace("OTHER", SecretPage::holding({}).value());
  EXPECT_EQ(swapped(with, {.fields = {{"X-Key", kPlaceholder}}}).head.fields[0].value, newer);
  EXPECT_EQ(held, kValue);
}

TEST(Broker, OtherHostsAndPlainHttpGetNothing) {
  std::vector<policies::CredentialSpot> const spots{{Kind::header, "x-key", "{}"}, {Kind::body, "", "{}"}};
  EXPECT_EQ(sent_field(spots, {"X-Key", kPlaceholder}, {.host = "example.com"}), kPlaceholder);
  EXPECT_EQ(sent_field(spots, {"X-Key", kPlaceholder}, {.host = "api.example.com.evil.test"}), kPlaceholder);
  EXPECT_EQ(sent_field(spots, {"X-Key", kPlaceholder}, {.scheme = UrlScheme::http}), kPlaceholder);
  auto const with = broker(spots);
  EXPECT_TRUE(swapped(with, {.host = "example.com"}).in_body.empty());
  EXPECT_EQ(swapped(with, {}).in_body, std::vector<std::string>{"KEY"});
  EXPECT_EQ(with.value_of("KEY"), kValue);
}

/// A request to DynamoDB that `secret` signed.
Asked signed_by(std::string_view secret, std::string const& host = "api.example.com") {
  Asked asked{host, "/", {{"x-amz-date", "20260101T000000Z"}, {"Authorization", ""}}};
  asked.fields[1].value = "AWS4-HMAC-SHA256 Credential=ID/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=" + std::string(64, '0');
  RequestHead head;
  head.method = "GET";
  head.fields = asked.fields;
  HttpTarget target{policies::CanonicalHost::from(host).value(), 443, policies::CanonicalPath::from("/").value(), UrlScheme::https};
  AwsSignature::read(head, target)->renew(secret, head, target);
  asked.fields = head.fields;
  return asked;
}

TEST(Broker, SignsAnewWhatThePlaceholderSigned) {
  auto const with = broker({{Kind::sigv4, "authorization", "{}"}});
  auto const request = swapped(with, signed_by(kPlaceholder));
  EXPECT_EQ(request.head.fields, signed_by(kValue).fields);
  EXPECT_EQ(request.shown_head.fields, signed_by(kPlaceholder).fields) << "what is looked at";
  EXPECT_EQ(request.signed_with, std::vector<std::string>{"KEY"});
  EXPECT_TRUE(request.used.empty()) << "the value stands nowhere";
}

TEST(Broker, SignsNothingElse) {
  auto const with = broker({{Kind::sigv4, "authorization", "{}"}});
  for (auto const& asked : {signed_by("somebody else"), signed_by(kPlaceholder, "other.example.org")}) {
    auto const request = swapped(with, asked);
    EXPECT_EQ(request.head.fields, asked.fields);
    EXPECT_TRUE(request.signed_with.empty());
  }
  EXPECT_TRUE(swapped(broker({{Kind::header, "x-key", "{}"}}), signed_by(kPlaceholder)).signed_with.empty()) << "its policy says where it may stand";
}

TEST(Broker, NeedsABodyOnlyForASignatureOverOne) {
  auto const with = broker({{Kind::sigv4, "authorization", "{}"}});
  auto const needs = [&](Asked const& asked, BodyKind body) {
    RequestHead head;
    head.method = "POST";
    head.fields = asked.fields;
    head.body = body;
    return with.needs_body(head, {policies::CanonicalHost::from(asked.host).value(), 443, policies::CanonicalPath::from("/").value(), asked.scheme});
  };
  EXPECT_TRUE(needs(signed_by(kPlaceholder), ContentLength{3}));
  EXPECT_FALSE(needs(signed_by(kPlaceholder), NoBody{}));
  EXPECT_FALSE(needs(signed_by(kPlaceholder, "other.example.org"), ContentLength{3}));
  EXPECT_FALSE(needs({}, ContentLength{3}));
}

}  // namespace
}  // namespace sallyport::proxy
