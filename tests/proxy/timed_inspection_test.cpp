#include "proxy/timed_inspection.hpp"

#include "policies/engine.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kTaken{3};

/// Takes its time for every call, and keeps what it was fed.
class SlowBody final : public BodyInspector {
 public:
  explicit SlowBody(std::string& fed) : fed_(fed) {}
  void feed(std::string_view content) override {
    std::this_thread::sleep_for(kTaken);
    fed_ += content;
  }
  void finish(std::vector<Field> const&) override { std::this_thread::sleep_for(kTaken); }
  std::uint64_t clear_up_to() const override { return fed_.size(); }
  std::optional<Refusal> const& refusal() const override { return refusal_; }
  std::vector<Replacement> take_replacements() override { return {{7, "x"}}; }

 private:
  std::string& fed_;
  std::optional<Refusal> refusal_ = Refusal{403, {}};
};

class SlowInspection final : public Inspection {
 public:
  std::string fed;
  bool has_body = true;
  Attempt<std::vector<HeadReplacement>> inspect_head(InspectedMessage const&, std::string_view) override {
    std::this_thread::sleep_for(kTaken);
    return Refusal{403, {}};
  }
  Attempt<std::unique_ptr<BodyInspector>> inspect_body(InspectedMessage const&, BodyForm) override {
    if (!has_body) return std::unique_ptr<BodyInspector>();
    return std::make_unique<SlowBody>(fed);
  }
};

policies::AllowedTarget permit() {
  auto rule = std::make_shared<policies::Rule>();
  rule->hosts = {"a.example"};
  rule->ports = {443};
  rule->action = policies::Action::allow;
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policy->rules = {rule};
  return policies::Engine(policy)
      .decide({policies::CanonicalHost::from("a.example").value(), 443, policies::Scheme::tunnel, {}, {}})
      .value();
}

struct Bench {
  Metrics metrics;
  SlowInspection inner;
  TimedInspection timed{inner, metrics};
  policies::AllowedTarget const target = permit();
  InspectedMessage const message{1, target};
  std::uint64_t const taken = std::chrono::microseconds(kTaken).count();
};

TEST(TimedInspection, HeadCountsWithItsTimeAndKeepsItsVerdict) {
  Bench bench;
  EXPECT_FALSE(bench.timed.inspect_head(bench.message, "GET /"));
  EXPECT_EQ(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::head)).count(), 1U);
  EXPECT_GE(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::head)).sum_microseconds(), bench.taken);
}

TEST(TimedInspection, BodyCountsOnceWithAllItsPieces) {
  Bench bench;
  {
    auto const body = bench.timed.inspect_body(bench.message, {}).value();
    body->feed("ab");
    body->feed("c");
    body->finish({});
    EXPECT_EQ(bench.inner.fed, "abc");
    EXPECT_EQ(body->clear_up_to(), 3U);
    EXPECT_TRUE(body->refusal());
    EXPECT_EQ(body->take_replacements().size(), 1U);
    EXPECT_EQ(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::body)).count(), 0U);
  }
  EXPECT_EQ(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::body)).count(), 1U);
  EXPECT_GE(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::body)).sum_microseconds(), 3 * bench.taken);
}

TEST(TimedInspection, BodyThatNobodyWantsToSeeStaysNone) {
  Bench bench;
  bench.inner.has_body = false;
  EXPECT_EQ(bench.timed.inspect_body(bench.message, {}).value(), nullptr);
  EXPECT_EQ(bench.metrics.numbers().inspections.at(static_cast<std::size_t>(Inspected::body)).count(), 0U);
}

}  // namespace
}  // namespace sallyport::proxy
