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

}  // namespace
}  // namespace sallyport::dlp
