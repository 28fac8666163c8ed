#include "audit/record.hpp"

#include "audit/chain.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

std::string const kPrev(64, 'a');
std::string const kHash(64, 'b');
std::string const kBase64(88, 'C');
std::string const kTail = ",\"prev\":\"" + kPrev + "\",\"hash\":\"" + kHash + "\"}";

void bad_record(std::string_view line) { EXPECT_FALSE(parse_record(line)) << line; }
void bad_links(std::string_view line) { EXPECT_FALSE(links_of(line)) << line; }

TEST(Record, FindsTheLinksAtTheEndOfALine) {
  std::string const line = R"({"seq":1,"x":"\",\"hash\":\"")" + kTail;
  auto const links = links_of(line);
  ASSERT_TRUE(links);
  EXPECT_EQ(links->prev, kPrev);
  EXPECT_EQ(links->hash, kHash);
  EXPECT_EQ(links->hashed, line.substr(0, line.find(",\"hash\":\"" + kHash)));
}

TEST(Record, RefusesLinksOfAnyOtherForm) {
  bad_links("");
  bad_links("{}");
  bad_links(kTail.substr(1));
  bad_links("{" + kTail + " ");
  bad_links("{" + kTail + "\r");
  bad_links("{,\"prev\":\"" + kPrev + "\", \"hash\":\"" + kHash + "\"}");
  bad_links("{,\"prev\":\"" + std::string(64, 'A') + "\",\"hash\":\"" + kHash + "\"}");
  bad_links("{,\"prev\":\"" + std::string(63, 'a') + "\",\"hash\":\"" + kHash + "\"}");
  bad_links("{,\"hash\":\"" + kHash + "\"}");
}

TEST(Record, FindsTheSignatureRightBeforeTheLinks) {
  std::string const line = "{\"seq\":1,\"signature\":\"" + kBase64 + "\"" + kTail;
  auto const signature = signature_of(line);
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->base64, kBase64);
  EXPECT_EQ(signature->signed_part, "{\"seq\":1");
  EXPECT_FALSE(signature_of("{\"seq\":1" + kTail));
  EXPECT_FALSE(signature_of("{\"signature\":\"" + kBase64 + "\",\"seq\":1" + kTail));
  EXPECT_FALSE(signature_of(""));
}

TEST(Record, ParsesOnlyObjectsWithWhatEveryRecordHas) {
  EXPECT_TRUE(parse_record(R"({"seq":1,"time":"t","session":"s","type":"limit.hit"})"));
  bad_record("");
  bad_record("[1]");
  bad_record(R"({"seq":1,"time":"t","session":"s","type":"x"}})");
  bad_record(R"({"seq":0,"time":"t","session":"s","type":"x"})");
  bad_record(R"({"seq":-1,"time":"t","session":"s","type":"x"})");
  bad_record(R"({"seq":"1","time":"t","session":"s","type":"x"})");
  bad_record(R"({"seq":1,"session":"s","type":"x"})");
  bad_record(R"({"seq":1,"time":"t","session":7,"type":"x"})");
  bad_record(R"({"seq":1,"time":"t","session":"s"})");
  bad_record("{\"seq\":1,\"time\":\"t\",\"session\":\"\xff\",\"type\":\"x\"}");
  bad_record(R"({"seq":1,"time":"t","session":"s","type":"x","deep":[[[[[1]]]]]})");
}

TEST(Record, GivesValuesOfTheTypeThatIsAskedFor) {
  auto const record = parse_record(R"({"seq":18446744073709551615,"time":"t","session":"s","type":"x","n":5})").value();
  EXPECT_EQ(number_in(record, "seq"), 18446744073709551615U);
  EXPECT_EQ(number_in(record, "n"), 5U);
  EXPECT_EQ(number_in(record, "time"), 0U);
  EXPECT_EQ(number_in(record, "none"), 0U);
  EXPECT_EQ(text_in(record, "time"), "t");
  EXPECT_EQ(text_in(record, "n"), "");
  EXPECT_EQ(text_in(record, "none"), "");
}

TEST(Record, GivesTheFactsThatAreCounted) {
  auto const record =
      parse_record(R"({"seq":1,"time":"t","session":"s","type":"dns.query","name":"a.example","verdict":"deny"})").value();
  auto const facts = facts_of(record);
  EXPECT_EQ(facts.type, "dns.query");
  EXPECT_EQ(facts.phase, "");
  EXPECT_EQ(facts.verdict, "deny");
  EXPECT_EQ(facts.subject, "a.example");
}

}  // namespace
}  // namespace sallyport::audit
