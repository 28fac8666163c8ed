#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Example, SameSeedGivesTheSameText) {
  EXPECT_EQ(*expand_example("<b62*30>", 5), *expand_example("<b62*30>", 5));
  EXPECT_NE(*expand_example("<b62*30>", 5), *expand_example("<b62*30>", 6));
}

TEST(Example, FieldsStandWhereTheTemplateSays) {
  auto text = *expand_example("a<dig*3>b<HEX>c", 1);
  ASSERT_EQ(7u, text.size());
  EXPECT_EQ('a', text[0]);
  EXPECT_EQ('b', text[4]);
  EXPECT_EQ('c', text[6]);
}

TEST(Example, UnknownFieldsAndCountsAreErrors) {
  EXPECT_FALSE(expand_example("<nosuch>", 1));
  EXPECT_FALSE(expand_example("<b62*x>", 1));
  EXPECT_FALSE(expand_example("<b62*99999>", 1));
}

TEST(Example, TextWithoutAClosingBracketStaysAsItIs) { EXPECT_EQ("a < b", *expand_example("a < b", 1)); }

}  // namespace
}  // namespace sallyport::dlp
