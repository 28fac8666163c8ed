#include "dlp/seed_phrase.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::dlp {
namespace {

// BIP-39's test vectors: entropy of equal bytes.
constexpr std::string_view kZeros =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
constexpr std::string_view k7f = "legal winner thank year wave sausage worth useful legal winner thank yellow";

TEST(SeedPhrase, IsWhatTheTestVectorsSay) {
  EXPECT_EQ(kZeros, to_seed_phrase(std::string(16, '\0')));
  EXPECT_EQ(k7f, to_seed_phrase(std::string(16, '\x7f')));
  EXPECT_TRUE(is_seed_phrase(k7f));
  EXPECT_TRUE(is_seed_phrase(to_seed_phrase(std::string(32, '\x80'))));
}

TEST(SeedPhrase, NeedsItsChecksumAndTheListsWords) {
  EXPECT_FALSE(is_seed_phrase("legal winner thank year wave sausage worth useful legal winner thank thank"));
  EXPECT_FALSE(is_seed_phrase("legal winner thank year wave sausage worth useful legal winner thank the"));
  EXPECT_FALSE(is_seed_phrase("legal winner thank year wave sausage worth useful legal winner yellow"));
}

TEST(SeedPhrase, IsFoundInProseAndOnLinesOfItsOwn) {
  std::string lines(k7f);
  for (char& c : lines) c = c == ' ' ? '\n' : c;
  for (auto const& text : {"my wallet is " + std::string(k7f) + " and nobody knows", "words:\n" + lines + "\n", lines}) {
    auto const found = find_seed_phrases(text);
    ASSERT_EQ(1u, found.size()) << text;
    EXPECT_EQ(k7f.size(), found[0].size()) << text;
  }
}

TEST(SeedPhrase, IsFoundWhereverItStandsInProse) {
  std::string const longest = "legal winner thank year wave sausage worth useful legal winner thank yellow";
  std::string shortest = longest;
  ExampleRandom random(1);
  for (int i = 0; i < 10'000; ++i) {
    auto const phrase = to_seed_phrase(random.bytes(16));
    if (phrase.size() < shortest.size()) shortest = phrase;
  }
  for (auto const& phrase : {longest, shortest}) {
    for (std::size_t before = 0; before < 90; ++before) {
      auto text = std::string(before, 'x') + " behind other words, " + phrase + " zzzz " + std::string(before, 'y');
      auto const found = find_seed_phrases(text);
      ASSERT_EQ(1u, found.size()) << text;
      EXPECT_EQ(phrase, text.substr(found[0].begin, found[0].size()));
    }
  }
}

TEST(SeedPhrase, TwoAreFoundBehindOneAnother) {
  auto const other = to_seed_phrase(std::string(32, '\x80'));
  for (std::string between : {" ", ", and ", "\n\n"}) EXPECT_EQ(2u, find_seed_phrases(std::string(k7f) + between + other).size()) << between;
}

TEST(SeedPhrase, WhatDocumentationPrintsIsNone) {
  EXPECT_FALSE(is_seed_phrase(kZeros));
  EXPECT_FALSE(is_seed_phrase("test test test test test test test test test test test junk"));
}

TEST(SeedPhrase, ProseHoldsNone) {
  EXPECT_TRUE(
      find_seed_phrases("it is a truth that all who know the city well will find the road to the river and the market "
                        "in the early morning when the light is still soft and the air is clear and cool")
          .empty());
}

TEST(SeedPhrase, MayBeWrittenInCapitalsAndWithOtherSigns) {
  for (char other : {'-', '_', '+'}) {
    std::string text(k7f);
    for (char& c : text) c = c == ' ' ? other : c;
    EXPECT_EQ(1u, find_seed_phrases("seed=" + text + "&x").size()) << text;
  }
  std::string capitals(k7f);
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  EXPECT_EQ(1u, find_seed_phrases(capitals).size());
}

}  // namespace
}  // namespace sallyport::dlp
