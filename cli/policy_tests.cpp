#include "cli/policy_tests.hpp"

#include "cli/policy_request.hpp"
#include "policies/answer.hpp"
#include "policies/explain.hpp"

#include <boost/json.hpp>

#include <utility>

namespace sallyport::cli {

namespace {

std::string difference_of(policies::PolicyTest const& test, policies::Verdict const& verdict) {
  auto const differs = [](std::string_view what, std::string_view expected, std::string_view found) {
    return "expected " + std::string(what) + std::string(expected) + ", got " + std::string(found);
  };
  if (test.expect != verdict.action) return differs("", to_string(test.expect), to_string(verdict.action));
  if (!test.rule.empty() && test.rule != verdict.rule) return differs("rule ", test.rule, verdict.rule);
  if (!test.reason.empty() && test.reason != verdict.reason) return differs("reason ", test.reason, verdict.reason);
  return {};
}

TestOutcome run_test(policies::Engine const& engine, policies::PolicyTest const& test) {
  auto request = parse_request(test.method, test.url);
  if (!request) return {test, {}, request.error().what};
  request->process = test.process;
  for (auto const& [name, value] : test.headers) request->headers.push_back({name, value});
  auto verdict = answer(engine, *request);
  auto difference = difference_of(test, verdict);
  return {test, std::move(verdict), std::move(difference)};
}

}  // namespace

std::vector<TestOutcome> run_tests(policies::Engine const& engine) {
  std::vector<TestOutcome> outcomes;
  for (auto const& test : engine.policy().tests) outcomes.push_back(run_test(engine, test));
  return outcomes;
}

policies::Problems test_problems(policies::Policy const& policy) {
  policies::Problems problems;
  for (auto const& test : policy.tests) {
    auto const request = parse_request(test.method, test.url);
    if (!request) problems.push_back({test.place, "the request of a test: " + request.error().what});
  }
  return problems;
}

std::string outcome_line(TestOutcome const& outcome) {
  auto const& test = outcome.test;
  auto const line = std::string(outcome.passed() ? "ok    " : "FAIL  ") + test.place.file + ":" + std::to_string(test.place.line) +
                    "  " + test.method + " " + test.url + "  ";
  if (outcome.passed()) return line + explain_line(policies::Verdict{outcome.verdict.action, outcome.verdict.rule, outcome.verdict.reason, "", "", 0});
  return line + outcome.difference + "\n      " + explain_line(outcome.verdict);
}

boost::json::object outcome_json(TestOutcome const& outcome) {
  auto const& [test, verdict, difference] = outcome;
  return {{"file", test.place.file},
          {"line", test.place.line},
          {"request", test.method + " " + test.url},
          {"expect", to_string(test.expect)},
          {"verdict", to_string(verdict.action)},
          {"rule", verdict.rule},
          {"reason", verdict.reason},
          {"ok", outcome.passed()},
          {"difference", difference}};
}

}  // namespace sallyport::cli
