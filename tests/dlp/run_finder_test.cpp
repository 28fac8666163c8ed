#include "dlp/run_finder.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

std::vector<Span> slow(std::string_view text, ByteSet const& set, std::size_t min) {
  std::vector<Span> runs;
  for (std::size_t at = 0; at < text.size();) {
    auto length = set.run(text.substr(at));
    if (length >= min) runs.push_back({at, at + length});
    at += length + 1;
  }
  return runs;
}

TEST(RunFinder, EveryEngineFindsWhatALinearSearchFinds) {
  ExampleRandom random(9);
  RunFinder finder(kAnyBase64, 20);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    while (text.size() < 400)
      text += random.text("aB9+/_-", random.below(90)) + random.text(". \"\x80\xff", random.below(3));
    for (auto lanes : possible_lanes()) {
      std::vector<Span> runs;
      finder.find(text, runs, lanes);
      ASSERT_EQ(slow(text, kAnyBase64, 20), runs) << text;
    }
  }
}

TEST(RunFinder, RunThatFillsTheTextIsFound) {
  for (std::size_t size : {19u, 20u, 63u, 64u, 65u, 128u, 1000u}) {
    std::vector<Span> runs;
    RunFinder(kAnyBase64, 20).find(std::string(size, 'x'), runs);
    EXPECT_EQ(size >= 20 ? 1u : 0u, runs.size()) << size;
  }
}

}  // namespace
}  // namespace sallyport::dlp
