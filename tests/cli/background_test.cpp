#include "cli/background.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>

namespace sallyport::cli {
namespace {

/// A console whose err is a temporary file.
struct Captured {
  Captured() { console.err = std::tmpfile(); }
  ~Captured() { std::fclose(console.err); }
  std::string err() const {
    std::rewind(console.err);
    std::array<char, 256> buffer{};
    return {buffer.data(), std::fread(buffer.data(), 1, buffer.size(), console.err)};
  }
  Console console;
};

TEST(Background, ReturnsWhenTheBodyStandsAndTheBodyGoesOn) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  Captured captured;
  int const status = in_background(captured.console, [&](Console& console, auto const& release) {
    std::fputs("before\n", console.err);
    release();
    std::fputs("after\n", console.err);
    return ::write(pipe[1], "x", 1) == 1 ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(captured.err(), "before\n");
  char byte = 0;
  EXPECT_EQ(::read(pipe[0], &byte, 1), 1);  // from the process that went on
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(Background, ABodyThatFailsIsAnErrorWithItsWordsAndStatus) {
  Captured captured;
  int const status = in_background(captured.console, [](Console& console, auto const&) {
    std::fputs("no such policy\n", console.err);
    return 125;
  });
  EXPECT_EQ(status, 125);
  EXPECT_EQ(captured.err(), "no such policy\n");
}

TEST(Background, ABodyThatEndsWithoutStandingIsAnErrorEvenIfItSaysNothing) {
  Captured captured;
  EXPECT_NE(in_background(captured.console, [](Console&, auto const&) { return 0; }), 0);
}

}  // namespace
}  // namespace sallyport::cli
