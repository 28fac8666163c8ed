#include "proxy/dns_cache.hpp"

#include "base/limits.hpp"
#include "tests/proxy/name_server.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sallyport::proxy {
namespace {

using FoundAddresses = Result<std::vector<policies::IpAddress>>;
using std::chrono::seconds;

/// The name server lets answers be kept for 60 seconds. Each lookup is two questions, A and AAAA.
struct Fixture {
  tests::NameServer server{{{"a.example", {"192.0.2.1"}}, {"b.example", {"192.0.2.2"}}}};
  asio::io_context io;
  std::unique_ptr<CaresChannel> channel = CaresChannel::make(io.get_executor(), {server.address()}).value();
  TaskSet lookups{io.get_executor(), [](std::exception_ptr) { ADD_FAILURE(); }};
  Metrics metrics;
  std::chrono::steady_clock::time_point now{};
  DnsCache cache{*channel, lookups, metrics, [this] { return now; }};

  FoundAddresses find(std::string name) { return tests::run(io, cache.find(std::move(name))); }
};

TEST(DnsCache, AnswerIsKeptForItsTimeAndNoLonger) {
  Fixture fixture;
  ASSERT_TRUE(fixture.find("a.example"));
  int const asked = fixture.server.questions();
  fixture.now += seconds(59);
  EXPECT_EQ(fixture.find("a.example").value().front().to_string(), "192.0.2.1");
  EXPECT_EQ(fixture.server.questions(), asked);
  fixture.now += seconds(1);
  EXPECT_TRUE(fixture.find("a.example"));
  EXPECT_EQ(fixture.server.questions(), 2 * asked);
  EXPECT_EQ(fixture.metrics.numbers().lookups.at(static_cast<std::size_t>(Lookup::kept)), 1U);
  EXPECT_EQ(fixture.metrics.numbers().lookups.at(static_cast<std::size_t>(Lookup::answered)), 2U);
}

TEST(DnsCache, NamesHaveAnswersOfTheirOwn) {
  Fixture fixture;
  EXPECT_EQ(fixture.find("a.example").value().front().to_string(), "192.0.2.1");
  EXPECT_EQ(fixture.find("b.example").value().front().to_string(), "192.0.2.2");
}

TEST(DnsCache, NameThatDoesNotExistIsKeptForAMoment) {
  Fixture fixture;
  EXPECT_FALSE(fixture.find("missing.example"));
  int const asked = fixture.server.questions();
  fixture.now += limits::kNoSuchNameTtl - seconds(1);
  EXPECT_FALSE(fixture.find("missing.example"));
  EXPECT_EQ(fixture.server.questions(), asked);
  fixture.now += seconds(1);
  EXPECT_FALSE(fixture.find("missing.example"));
  EXPECT_GT(fixture.server.questions(), asked);
}

awaitable<void> find_two(DnsCache& cache, std::optional<std::pair<FoundAddresses, FoundAddresses>>& found) {
  using namespace asio::experimental::awaitable_operators;
  auto [one, other] = co_await (cache.find("a.example") && cache.find("a.example"));
  found.emplace(std::move(one), std::move(other));
}

TEST(DnsCache, WhoAsksAtOnceSharesOneQuestion) {
  Fixture alone, together;
  ASSERT_TRUE(alone.find("a.example"));
  std::optional<std::pair<FoundAddresses, FoundAddresses>> found;
  tests::run(together.io, find_two(together.cache, found));
  EXPECT_TRUE(found->first && found->second);
  EXPECT_EQ(together.server.questions(), alone.server.questions());
}

TEST(DnsCache, WhoGoesLeavesTheQuestionToTheOthers) {
  Fixture fixture;
  auto const silent = tests::run(fixture.io, with_deadline(std::chrono::milliseconds(20), "resolve", fixture.cache.find(tests::NameServer::kSilent)));
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, Code::limit);
  EXPECT_EQ(fixture.lookups.size(), 1U) << "still asking";
  EXPECT_TRUE(fixture.find("a.example"));
}

TEST(DnsCache, IsBounded) {
  Fixture fixture;
  for (std::size_t i = 0; i < limits::kMaxCachedNames + 10; ++i) EXPECT_FALSE(fixture.find("n" + std::to_string(i) + ".missing.example"));
  EXPECT_EQ(fixture.cache.size(), limits::kMaxCachedNames);
  int const asked = fixture.server.questions();
  EXPECT_FALSE(fixture.find("n" + std::to_string(limits::kMaxCachedNames + 9) + ".missing.example"));
  EXPECT_EQ(fixture.server.questions(), asked) << "the last one is kept";
}

}  // namespace
}  // namespace sallyport::proxy
