#include "cli/dialogue.hpp"

#include "tests/cli/console_capture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;

/// A dialogue with somebody who types `text`.
struct Typed {
  explicit Typed(std::string text) : text_(std::move(text)), in_(::fmemopen(text_.data(), text_.size(), "r"), &std::fclose) {}
  std::optional<std::string> ask(Question const& question) { return Dialogue(in_.get(), screen.console().out).ask(question); }
  ConsoleCapture screen;

 private:
  std::string text_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> in_;
};

TEST(Dialogue, AnEmptyLineIsTheDefault) {
  Typed typed("\nnode\n");
  EXPECT_EQ(typed.ask({"Which image?", "debian", {}}), "debian");
  EXPECT_EQ(typed.ask({"Which image?", "debian", {}}), "node");
  EXPECT_THAT(typed.screen.out(), HasSubstr("Which image? [debian] "));
}

TEST(Dialogue, AsksAgainUntilTheAnswerIsAChoice) {
  Typed typed("maybe\n  no \r\n");
  EXPECT_EQ(typed.ask({"Write?", "yes", {"yes", "no"}}), "no");
  EXPECT_THAT(typed.screen.out(), HasSubstr("'maybe' is none of yes, no."));
}

TEST(Dialogue, TheEndOfTheInputIsNoAnswer) {
  Typed typed("ye");
  EXPECT_EQ(typed.ask({"Write?", "yes", {"yes", "no"}}), std::nullopt);
}

}  // namespace
}  // namespace sallyport::cli
