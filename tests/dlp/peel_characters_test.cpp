#include "dlp/layer.hpp"

#include "codings.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

bool holds(std::string const& text, std::string_view wanted) {
  bool found = false;
  peel_characters(text, [&](Layer&& layer) { found = found || layer.bytes.find(wanted) != std::string::npos; });
  return found;
}

TEST(PeelCharacters, UndoesEveryDisguise) {
  constexpr std::string_view kText = "some_Token-Xpaceosij09";
  for (auto coding : {"utf-16le", "utf-16be", "zero-width", "full-width", "homoglyphs"}) {
    EXPECT_TRUE(holds(test::encode(coding, kText), kText)) << coding;
    EXPECT_TRUE(holds("before " + test::encode(coding, kText) + " behind", kText)) << coding;
    EXPECT_TRUE(holds("befor " + test::encode(coding, kText) + " behind", kText)) << coding;
  }
}

TEST(PeelCharacters, PlainAndForeignTextHaveNoLayers) {
  for (auto text : {"plain ASCII", "\xe4\xb8\xad\xe6\x96\x87\xe6\x96\x87\xe6\x9c\xac", "\xff\xfe\xfd binary \x80\x81"}) {
    EXPECT_FALSE(holds(text, "")) << text;
  }
}

}  // namespace
}  // namespace sallyport::dlp
