#include "proxy/cares_channel.hpp"

#include "tests/proxy/name_server.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

using Answer = Result<DnsAnswer>;

struct Fixture {
  tests::NameServer server{{{"a.example", {"192.0.2.1", "192.0.2.2", "2001:db8::1"}}, {"empty.example", {}}}};
  asio::io_context io;
  std::unique_ptr<CaresChannel> channel = CaresChannel::make(io.get_executor(), {server.address()}).value();

  Answer lookup(std::string name) { return tests::run(io, channel->lookup(std::move(name))); }
};

std::vector<std::string> sorted_texts(Answer const& answer) {
  std::vector<std::string> texts;
  for (auto const& address : answer.value().addresses) texts.push_back(address.to_string());
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST(CaresChannel, FindsAllAddressesOfBothFamilies) {
  Fixture fixture;
  EXPECT_EQ(sorted_texts(fixture.lookup("a.example")), (std::vector<std::string>{"192.0.2.1", "192.0.2.2", "2001:db8::1"}));
}

TEST(CaresChannel, AnswerSaysHowLongItMayBeKept) {
  EXPECT_EQ(Fixture().lookup("a.example")->ttl, std::chrono::seconds(60));
}

TEST(CaresChannel, AsksEveryTime) {
  Fixture fixture;
  ASSERT_TRUE(fixture.lookup("a.example"));
  int const asked = fixture.server.questions();
  ASSERT_TRUE(fixture.lookup("a.example"));
  EXPECT_EQ(fixture.server.questions(), 2 * asked);
}

TEST(CaresChannel, NameWithoutAddressesIsAnErrorThatNamesIt) {
  Fixture fixture;
  for (std::string const name : {"missing.example", "empty.example"}) {
    auto const found = fixture.lookup(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, Code::invalid);
    EXPECT_NE(found.error().what.find(name), std::string::npos) << found.error().what;
  }
}

TEST(CaresChannel, CancelledLookupEndsAndTheNextOneIsAnswered) {
  Fixture fixture;
  auto const silent = tests::run(fixture.io, with_deadline(std::chrono::milliseconds(20), "resolve",
                                                           fixture.channel->lookup(tests::NameServer::kSilent)));
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, Code::limit);
  EXPECT_TRUE(fixture.lookup("a.example"));
}

TEST(CaresChannel, PendingLookupFailsWhenTheChannelEnds) {
  Fixture fixture;
  std::optional<Answer> result;
  auto ended = asio::co_spawn(fixture.io, tests::keep_result(result, fixture.channel->lookup(tests::NameServer::kSilent)),
                              asio::use_future);
  fixture.io.poll();
  ASSERT_FALSE(result);
  fixture.channel.reset();
  tests::run_until(fixture.io, std::move(ended));
  EXPECT_FALSE(*result);
}

TEST(CaresChannel, ServerListThatCannotBeReadIsAnError) {
  asio::io_context io;
  EXPECT_FALSE(CaresChannel::make(io.get_executor(), {"not an address"}));
}

}  // namespace
}  // namespace sallyport::proxy
