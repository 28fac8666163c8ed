#include "dlp/split_token.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

struct Gap {
  std::string_view name, before, between, behind;
};
constexpr Gap kGaps[] = {
    {"parameters", "GET /?a=", "&b=", " HTTP/1.1"},
    {"JSON fields", "{\"a\": \"", "\", \"b\": \"", "\"}"},
    {"compact JSON", "{\"a\":\"", "\",\"b\":\"", "\"}"},
    {"headers", "X-One: ", "\r\nX-Two: ", "\r\n\r\n"},
    {"multipart parts", "\r\n\r\n", "\r\n--frontier\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n",
     "\r\n--frontier--"},
    {"lines", "data:", "\ndata:", "\n"},
};

TEST(SplitToken, IsFoundAcrossEveryKindOfGapWhereverItIsCut) {
  auto token = test::example("ghp_<b62*30><crc62>");
  for (auto const& gap : kGaps) {
    for (std::size_t cut = 8; cut < token.size(); ++cut) {
      auto text = std::string(gap.before) + token.substr(0, cut) + std::string(gap.between) + token.substr(cut) +
                  std::string(gap.behind);
      EXPECT_TRUE(test::finding_of("github-pat", text)) << gap.name << " " << cut;
    }
  }
}

TEST(SplitToken, ThreePiecesAreJoined) {
  auto token = test::example("glpat-<b64u*20>");
  auto text = "a=" + token.substr(0, 12) + "&b=" + token.substr(12, 7) + "&c=" + token.substr(19);
  EXPECT_TRUE(test::finding_of("gitlab-pat", text));
}

TEST(SplitToken, ProseAboutATokenIsNotJoined) {
  for (auto text :
       {"Tokens that begin with ghp_abcd are classic: name=value&other=thing&more=stuff&again=and_again&x=y",
        "{\"prefix\": \"glpat-demo\", \"description\": \"personal access tokens\", \"scopes\": \"read_api\"}"}) {
    EXPECT_TRUE(scan_message(test::builtin_setup(), text).empty()) << text;
  }
}

}  // namespace
}  // namespace sallyport::dlp
