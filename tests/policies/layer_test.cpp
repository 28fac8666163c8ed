#include "policies/layer.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view text, std::string_view host, std::uint16_t port) {
  Problems problems;
  auto const layer = allow_layer(text, problems);
  ASSERT_TRUE(layer) << text << ": " << (problems.empty() ? "" : to_string(problems.front()));
  auto const& rule = layer->rules.front();
  EXPECT_EQ(rule.hosts, std::vector<std::string>{std::string(host)});
  EXPECT_EQ(rule.ports, std::vector<std::uint16_t>{port});
  EXPECT_EQ(rule.inspect, Inspect::sni);
  EXPECT_EQ(rule.action, Action::allow);
  EXPECT_EQ(rule.name, "--allow " + std::string(text));
  EXPECT_EQ(rule.place, Place{});
}

void bad(std::string_view text) {
  Problems problems;
  EXPECT_FALSE(allow_layer(text, problems)) << text;
  ASSERT_FALSE(problems.empty());
  EXPECT_TRUE(to_string(problems.front()).starts_with("--allow '")) << to_string(problems.front());
}

TEST(AllowLayer, IsOneRuleForOnePort) {
  ok("Example.com", "example.com", 443);
  ok("example.com:8443", "example.com", 8443);
  ok("*.example.com:80", "*.example.com", 80);
  ok("8.8.8.8", "8.8.8.8", 443);
  ok("[2606:4700::1111]:853", "2606:4700::1111", 853);
  ok("2606:4700::1111", "2606:4700::1111", 443);
}

TEST(AllowLayer, RefusesWhatNoRuleMaySay) {
  for (auto text :
       {"", "example.com:", "example.com:0", "example.com:https", "https://example.com", "example.com/x", "*.com",
        "10.0.0.1", "127.0.0.1:8080", "a b", "example.com:443:80", "user@example.com", "x\n.example"}) {
    bad(text);
  }
}

}  // namespace
}  // namespace sallyport::policies
