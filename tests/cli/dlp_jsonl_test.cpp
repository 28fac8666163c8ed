#include "cli/dlp_jsonl.hpp"

#include "dlp/base_n.hpp"
#include "dlp/example.hpp"
#include "tests/cli/console_capture.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace sallyport::cli {
namespace {

std::string token() { return *dlp::expand_example("ghp_<b62*30><crc62>", 1); }

struct Run {
  int status = 0;
  std::string out;
};

Run run(std::string const& lines) {
  ConsoleCapture capture;
  std::istringstream input(lines);
  int status = scan_jsonl(capture.console(), {dlp::RuleSet::builtin(), nullptr, "salt"}, input);
  return {status, capture.out()};
}

TEST(DlpJsonl, AnswersEachMessageWithAVerdict) {
  auto blocked = run(R"({"id":7,"text":"a )" + token() + R"("})" + "\n");
  EXPECT_EQ(1, blocked.status);
  EXPECT_EQ(R"({"id":7,"verdict":"block","detector":"github-pat","offset":2,"length":40})"
            "\n",
            blocked.out);
  auto allowed = run(R"({"id":"x","text":"hello","channel":"url"})"
                     "\n");
  EXPECT_EQ(0, allowed.status);
  EXPECT_EQ(R"({"id":"x","verdict":"allow","detector":null,"offset":0,"length":0})"
            "\n",
            allowed.out);
}

TEST(DlpJsonl, TakesDestinationAndChannelIntoAccount) {
  auto own = run(R"({"id":1,"channel":"header","host":"api.github.com","text":"Authorization: )" + token() +
                 R"("})"
                 "\n");
  EXPECT_NE(std::string::npos, own.out.find(R"("verdict":"allow")"));
}

TEST(DlpJsonl, ReadsBinaryMessages) {
  auto out = run(R"({"id":1,"base64":")" + dlp::to_base64(std::string("\0\xff ", 3) + token()) +
                 R"("})"
                 "\n");
  EXPECT_NE(std::string::npos, out.out.find(R"("offset":3)"));
}

TEST(DlpJsonl, LinesThatAreNoMessageAreReportedAndTheRestGoesOn) {
  for (auto line : {"no json", "[]", "{}", R"({"text":1})", R"({"text":"a","base64":"YQ=="})", R"({"base64":"!"})",
                    R"({"text":"a","channel":"smoke"})"}) {
    auto out = run(std::string(line) +
                   "\n"
                   R"({"id":2,"text":"hello"})"
                   "\n");
    EXPECT_EQ(2, out.status) << line;
    EXPECT_NE(std::string::npos, out.out.find("\"error\"")) << line;
    EXPECT_NE(std::string::npos, out.out.find(R"({"id":2,"verdict":"allow")")) << line;
  }
}

TEST(DlpJsonl, NeverPrintsTheSecret) {
  EXPECT_EQ(std::string::npos, run(R"({"id":1,"text":")" + token() +
                                   R"("})"
                                   "\n")
                                   .out.find(token()));
}

}  // namespace
}  // namespace sallyport::cli
