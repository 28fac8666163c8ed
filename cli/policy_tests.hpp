#pragma once
// The `tests` of a policy file, run through the engine the proxy asks. Pure; any thread.

#include "policies/engine.hpp"
#include "policies/problem.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace sallyport::cli {

struct TestOutcome {
  policies::PolicyTest test;
  policies::Verdict verdict;  // what the policy answers
  std::string difference;     // from what was expected, in words; empty if there is none
  bool passed() const { return difference.empty(); }
};

/// One outcome a test, in order. A request that cannot be read is a difference.
std::vector<TestOutcome> run_tests(policies::Engine const& engine);

/// What is wrong with the requests of a policy's tests.
policies::Problems test_problems(policies::Policy const& policy);

/// "ok    p.yaml:9  GET https://example.com/  allow by rule r", for people; no newline.
std::string outcome_line(TestOutcome const& outcome);
/// {"file","line","request","expect","verdict","rule","reason","ok","difference"}
boost::json::object outcome_json(TestOutcome const& outcome);

}  // namespace sallyport::cli
