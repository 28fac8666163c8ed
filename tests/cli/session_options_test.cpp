#include "cli/session_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

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

TEST(SessionOptions, ANumberBelowOneIsSaidAsItIs) {
  auto const check = at_least_one();
  for (std::string text : {"0", "-3", "x", "1.5"}) EXPECT_EQ(check(text), "'" + text + "' is not a whole number from 1 on");
  std::string one = "1";
  EXPECT_EQ(check(one), "");
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

/// The route of a command line; nothing when it is wrong.
std::optional<std::shared_ptr<policies::UpstreamRoute const>> route(std::vector<std::string> arguments) {
  UpstreamOptions options;
  CLI::App app;
  declare_upstream(app, options);
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (CLI::ParseError const& error) {
    EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
    return std::nullopt;
  }
  return route_of(options);
}

TEST(SessionOptions, UpstreamProxyAndWhatGoesAroundIt) {
  EXPECT_EQ(route({}).value(), nullptr);
  auto const found = route({"--upstream-proxy", "http://me:hunter2@proxy.example:3128", "--no-upstream-proxy", "corp.example,10.0.0.0/8"}).value();
  EXPECT_EQ(found->proxy.password, "hunter2");
  EXPECT_TRUE(found->proxy.looks_up_names);
  EXPECT_TRUE(found->direct.contain(policies::CanonicalHost::from("git.corp.example").value()));
  EXPECT_FALSE(route({"--upstream-proxy", "http://p:1", "--upstream-dns", "local"}).value()->proxy.looks_up_names);
  EXPECT_TRUE(route({"--upstream-proxy", "socks5://p:1", "--upstream-dns", "remote"}).value()->proxy.looks_up_names);
}

TEST(SessionOptions, UpstreamProxyComesFromTheEnvironmentToo) {
  ::setenv("SALLYPORT_UPSTREAM_PROXY", "socks5h://proxy.example:1080", 1);
  ::setenv("SALLYPORT_NO_UPSTREAM_PROXY", "corp.example", 1);
  auto const found = route({});
  auto const said = route({"--upstream-proxy", "http://other.example:1"});
  ::unsetenv("SALLYPORT_UPSTREAM_PROXY");
  ::unsetenv("SALLYPORT_NO_UPSTREAM_PROXY");
  EXPECT_EQ(to_string(found.value()->proxy), "socks5h://proxy.example:1080");
  EXPECT_TRUE(found.value()->direct.contain(policies::CanonicalHost::from("corp.example").value()));
  EXPECT_EQ(said.value()->proxy.host.str(), "other.example") << "the command line wins";
}

TEST(SessionOptions, WrongUpstreamOptionsAreErrors) {
  EXPECT_FALSE(route({"--upstream-proxy", "ftp://me:hunter2@proxy.example:1"}));
  EXPECT_FALSE(route({"--no-upstream-proxy", "http://x"}));
  EXPECT_FALSE(route({"--upstream-proxy", "http://p:1", "--upstream-dns", "nowhere"}));
  EXPECT_FALSE(route({"--upstream-dns", "local"})) << "of no proxy";
}

}  // namespace
}  // namespace sallyport::cli
