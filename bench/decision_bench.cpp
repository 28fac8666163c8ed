// How long one decision takes, against the number of rules.
//   cmake -DSALLYPORT_BENCH=ON build && ninja -C build decision_bench && build/bin/decision_bench

#include "policies/engine.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

namespace sallyport::policies {
namespace {

/// Every third rule is for the names below its host.
std::shared_ptr<Policy const> policy_of(std::int64_t rules) {
  auto policy = std::make_shared<Policy>();
  policy->network = Network::restricted;
  for (std::int64_t i = 0; i < rules; ++i) {
    auto rule = std::make_shared<Rule>();
    rule->name = "r" + std::to_string(i);
    rule->hosts = {(i % 3 == 0 ? "*." : "") + ("host" + std::to_string(i)) + ".example.com"};
    rule->ports = {443};
    rule->inspect = Inspect::sni;
    rule->action = Action::allow;
    policy->rules.push_back(std::move(rule));
  }
  return policy;
}

void decide(benchmark::State& state, std::string const& name, bool allowed) {
  Engine const engine(policy_of(state.range(0)));
  auto const host = CanonicalHost::from(name).value();
  Request const request{.host = host, .port = 443, .scheme = Scheme::tls, .method = {}, .path = {}};
  for (auto _ : state) {
    auto const decision = engine.decide(request);
    if (decision.has_value() != allowed) return state.SkipWithError("not the decision that was expected");
    benchmark::DoNotOptimize(decision);
  }
}

void allowed(benchmark::State& state) { decide(state, "host7.example.com", true); }
void allowed_by_wildcard(benchmark::State& state) { decide(state, "a.b.host6.example.com", true); }
void denied(benchmark::State& state) { decide(state, "host7.example.org", false); }
BENCHMARK(allowed)->Arg(10)->Arg(1'000)->Arg(100'000);
BENCHMARK(allowed_by_wildcard)->Arg(10)->Arg(1'000)->Arg(100'000);
BENCHMARK(denied)->Arg(10)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace sallyport::policies

BENCHMARK_MAIN();
