#include "dlp/checksums.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::example;

/// `has` accepts what the template makes, and nothing in which a character was changed.
void ok(bool (*has)(std::string_view), std::string_view text) {
  auto token = example(text);
  EXPECT_TRUE(has(token)) << text;
  auto changed = token;
  auto& c = changed[changed.size() / 2];
  c = c == 'a' ? 'b' : c == 'A' ? 'B' : c == '2' ? '3' : c >= 'a' ? 'a' : c >= 'A' ? 'A' : '2';
  EXPECT_FALSE(has(changed)) << text;
  EXPECT_FALSE(has("")) << text;
}

TEST(Checksums, Crc32IsTheOneOfIeee8023) { EXPECT_EQ(0xcbf43926u, crc32("123456789")); }

TEST(Checksums, AcceptTheRightOneOnly) {
  ok(has_crc32_base62, "ghp_<b62*30><crc62>");
  ok(has_crc32_base36, "glpat-<b64u*27>.01.<l36*2><crc36>");
  ok(has_crc32_hex, "ATATT3xFfG<b64u*173>=<crchex>");
  ok(has_crc32_hex_little, "glsa_<b62*32>_<crcle>");
  ok(has_base58check, "<wif>");
  ok(has_base58check, "<xprv>");
  ok(has_bech32, "<age>");
  ok(has_luhn, "<card>");
  ok(has_iban_check, "<iban>");
}

TEST(Checksums, AgreeWithPublishedExamples) {
  EXPECT_TRUE(has_iban_check("GB82 WEST 1234 5698 7654 32"));  // ISO 13616
  EXPECT_TRUE(has_luhn("4111 1111 1111 1111"));
  EXPECT_TRUE(has_bech32("A12UEL5L"));                                 // BIP-173
  EXPECT_TRUE(has_base58check("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"));  // an address
  EXPECT_FALSE(has_base58check("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"));
}

}  // namespace
}  // namespace sallyport::dlp
