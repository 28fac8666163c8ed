#include "cli/dlp_report.hpp"

#include "tests/cli/console_capture.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace sallyport::cli {
namespace {

PlacedFinding sample() {
  dlp::Finding finding{.detector = "npm", .offset = 10, .length = 40, .codings = {dlp::Coding::gzip, dlp::Coding::base64}};
  return {"dir/file", {3, 7}, finding};
}

std::string printed(ReportAs form) {
  ConsoleCapture capture;
  DlpReport report(capture.console(), form);
  report.add({sample()});
  EXPECT_EQ(1u, report.finish());
  return capture.out();
}

TEST(DlpReport, LineForPeople) {
  EXPECT_EQ("dir/file:3:7: npm (high, shaped, 40 bytes) in gzip > base64\n", printed(ReportAs::text));
}

TEST(DlpReport, JsonHasEveryField) {
  auto object = boost::json::parse(printed(ReportAs::json)).as_object();
  EXPECT_EQ("npm", object["detector"].as_string());
  EXPECT_EQ(3, object["line"].to_number<int>());
  EXPECT_EQ(2u, object["codings"].as_array().size());
  EXPECT_EQ(32u, object["digest"].as_string().size());
}

TEST(DlpReport, SarifNamesToolRuleAndRegion) {
  auto document = boost::json::parse(printed(ReportAs::sarif)).as_object();
  EXPECT_EQ("2.1.0", document["version"].as_string());
  auto const& run = document["runs"].as_array()[0].as_object();
  auto const& result = run.at("results").as_array()[0].as_object();
  EXPECT_EQ("npm", result.at("ruleId").as_string());
  EXPECT_EQ("error", result.at("level").as_string());
  EXPECT_GE(run.at("tool").as_object().at("driver").as_object().at("rules").as_array().size(), 80u);
}

TEST(DlpReport, DetectorsAreListedWithAnExampleEach) {
  ConsoleCapture capture;
  EXPECT_EQ(0, list_detectors(capture.console(), ListAs::json));
  std::size_t lines = 0;
  std::istringstream out(capture.out());
  for (std::string line; std::getline(out, line); ++lines) {
    EXPECT_FALSE(boost::json::parse(line).as_object()["example"].as_string().empty()) << line;
  }
  EXPECT_GE(lines, 80u);
}

}  // namespace
}  // namespace sallyport::cli
