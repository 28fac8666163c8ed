#include "cli/session_options.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

struct Parsed {
  std::vector<std::string> allow;
  std::vector<policies::Pin> pins;
  bool ok = true;
};

Parsed parse(std::vector<std::string> arguments) {
  Parsed out;
  CLI::App app;
  repeatable(app, "--allow", out.allow, "");
  declare_pins(app, out.pins);
  std::vector<std::string> rest;
  app.add_option("rest", rest);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app.parse(arguments);
  } catch (CLI::ParseError const&) { out.ok = false; }
  return out;
}

TEST(SessionOptions, ARepeatableOptionTakesOneValueEachTime) {
  auto const parsed = parse({"--allow", "a.example", "--allow", "b.example:8443", "not-a-host-option"});
  EXPECT_TRUE(parsed.ok);
  EXPECT_EQ(parsed.allow, (std::vector<std::string>{"a.example", "b.example:8443"}));
}

TEST(SessionOptions, PinsAreParsedAndRepeated) {
  auto const parsed = parse({"--resolve", "a.example:443:127.0.0.1:8443", "--resolve", "b.example:443:127.0.0.1"});
  ASSERT_EQ(parsed.pins.size(), 2U);
  EXPECT_EQ(parsed.pins[0].host.str(), "a.example");
  EXPECT_EQ(parsed.pins[0].to_port, 8443);
  EXPECT_EQ(parsed.pins[1].to_port, 0);
}

TEST(SessionOptions, AWrongPinIsAnError) {
  EXPECT_FALSE(parse({"--resolve", "a.example"}).ok);
  EXPECT_FALSE(parse({"--resolve", "a.example:443:not-an-address"}).ok);
}

}  // namespace
}  // namespace sallyport::cli
