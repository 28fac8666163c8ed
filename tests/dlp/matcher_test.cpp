#include "dlp/matcher.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::example;
using test::finding_of;

TEST(Matcher, ShortPrefixNeedsANeighbourOutsideItsAlphabet) {
  auto key = example("AKIA<aws>");
  for (auto before : {"", "=", "\"", "/", ":", " ", "(", "\n"})
    EXPECT_TRUE(finding_of("aws-access-key-id", before + key)) << before;
  for (auto before : {"x", "7", "_", "+"}) EXPECT_FALSE(finding_of("aws-access-key-id", before + key)) << before;
  EXPECT_FALSE(finding_of("aws-access-key-id", key + "X"));
}

TEST(Matcher, TokenIsCutWhereTheVendorEndsIt) {
  auto finding = finding_of("slack-bot", "token=" + example("xoxb-<dig*12>-<dig*12>-<b62*24>") + "&b=c");
  ASSERT_TRUE(finding);
  EXPECT_EQ(6u, finding->offset);
  EXPECT_EQ(5u + 12 + 1 + 12 + 1 + 24, finding->length);
}

TEST(Matcher, SecretOfAContextIsTheValueAlone) {
  auto finding = finding_of("datadog", "DD_API_KEY=" + example("<hex*32>"));
  ASSERT_TRUE(finding);
  EXPECT_EQ(11u, finding->offset);
  EXPECT_EQ(32u, finding->length);
}

TEST(Matcher, KeysInTheMiddleOfATokenFindItsBeginning) {
  auto finding = finding_of("azure-storage-key", "AccountKey=" + example("<b64*76>+ASt<b64*6>==") + ";");
  ASSERT_TRUE(finding);
  EXPECT_EQ(11u, finding->offset);
  EXPECT_EQ(88u, finding->length);
}

TEST(Matcher, SurerMatchesHideTheOthersOfTheSameText) {
  auto findings = scan_message(test::builtin_setup(), "token = \"" + example("ghp_<b62*30><crc62>") + "\"");
  ASSERT_EQ(1u, findings.size());
  EXPECT_EQ("github-pat", findings[0].detector);
}

TEST(Matcher, LetterOfAnEscapeIsNoNeighbour) {
  auto const token = example("hf_<let*34>");
  for (auto before : {"{\"a\":\"line\\n", "\\t", "\\r\\n", "\x1b[32m", "\\u001b[1;31m", "b'\\n", " _"}) EXPECT_TRUE(finding_of("huggingface-user", before + token)) << before;
  for (auto before : {"n", "m", "\\q", "[32n", "32m"}) EXPECT_FALSE(finding_of("huggingface-user", before + token)) << before;
}

TEST(Matcher, LengthInFrontOfATokenIsNoNeighbour) {
  auto const field = [](char tag, std::size_t length, std::string const& token) { return std::string("\x0a\x03" "bob") + tag + static_cast<char>(length) + token; };
  auto const token = example("gsk_<b62*52>");
  EXPECT_TRUE(finding_of("groq", field('\x12', token.size(), token)));
  EXPECT_FALSE(finding_of("groq", field('\x12', token.size() + 1, token)));
  EXPECT_FALSE(finding_of("groq", field('\x10', token.size(), token))) << "a number has no length";
}

TEST(Matcher, DataOfAStoredZipMemberBeginsBehindItsName) {
  auto const token = example("hf_<let*34>");
  auto const header = [&](char name_size) { return std::string("PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0%\0\0\0%\0\0\0", 26) + name_size + std::string("\0\0\0", 3) + "notes.txt" + token; };
  EXPECT_TRUE(finding_of("huggingface-user", header(9)));
  EXPECT_FALSE(finding_of("huggingface-user", header(8)));
}

TEST(Matcher, VendorsTokenIsNamedAndNotWhatStandsAroundIt) {
  auto const findings = scan_message(test::builtin_setup(), "Authorization: Bearer " + example("hf_<let*34>"));
  ASSERT_EQ(1u, findings.size());
  EXPECT_EQ("huggingface-user", findings[0].detector);
  EXPECT_EQ("bearer-header", scan_message(test::builtin_setup(), "Authorization: Bearer " + example("<b62*40>")).at(0).detector);
}

TEST(Matcher, ValueMayStandApartFromItsName) {
  std::string const value = "Xk29vQpl2ZzTr8";
  for (auto before : {R"({"name":"password","value":")", "- name: DB_PASSWORD\n  value: ", "<password>", "<entry key=\"db.password\">",
                      "name=\"password\"\r\n\r\n", "{\"pass\":\"", "DB_PASS=", "pwd: "}) {
    EXPECT_TRUE(finding_of("assigned-password", before + value + "\r\n")) << before;
  }
  for (auto before : {"compass ", "password reset link for ", "<password/>"}) EXPECT_FALSE(finding_of("assigned-password", before + value)) << before;
}

}  // namespace
}  // namespace sallyport::dlp
