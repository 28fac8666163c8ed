// `sallyport policy`: list, show, check, explain, test, reload and schema. No network; the same loader and engine as the proxy.

#include "cli/command.hpp"
#include "cli/policy_json.hpp"
#include "cli/policy_request.hpp"
#include "cli/policy_sources.hpp"
#include "cli/policy_tests.hpp"
#include "cli/session_options.hpp"
#include "cli/reload_request.hpp"
#include "policies/answer.hpp"
#include "policies/engine.hpp"
#include "policies/explain.hpp"
#include "policies/host_pattern.hpp"
#include "policies/schema.hpp"
#include "policies/yaml_loader.hpp"
#include "policies/yaml_writer.hpp"
#include "proxy/dlp_setup.hpp"

#include <boost/json.hpp>
#include <memory>

namespace sallyport::cli {

namespace {

namespace json = boost::json;

constexpr int kRefused = 1;
constexpr int kUsage = 2;

struct PolicyOptions {
  std::vector<std::string> policies;  // positional or --policy
  std::vector<std::string> allow;
  std::string method;
  std::string url;
  std::string process;
  int pid = 0;
  bool json = false;
};

void print_line(std::FILE* to, std::string_view line) {
  std::fprintf(to, "%.*s\n", static_cast<int>(line.size()), line.data());
}

void print_problems(std::FILE* to, policies::Problems const& problems) {
  for (auto const& problem : problems) print_line(to, to_string(problem));
}

int list(Console const& console, PolicyOptions const& options) {
  auto const presets = policies::list_presets(console.preset_dir);
  if (!presets) {
    print_line(console.err, presets.error().what);
    return kUsage;
  }
  json::array all;
  for (auto const& [name, description, date, path] : *presets) {
    if (!options.json) std::fprintf(console.out, "%-12s %-10s  %s\n", name.c_str(), date.c_str(), description.c_str());
    all.push_back(json::object{{"name", name}, {"description", description}, {"date", date}, {"path", path}});
  }
  if (options.json) print_line(console.out, json::serialize(all));
  return 0;
}

int show(Console const& console, PolicyOptions const& options) {
  policies::Problems problems;
  auto const policy = policies::load_policy(policy_sources(console, options.policies, {}), problems);
  if (policy == nullptr) {
    print_problems(console.err, problems);
    return kUsage;
  }
  auto const text = options.json ? json::serialize(policy_json(*policy)) + "\n" : to_yaml(*policy);
  std::fputs(text.c_str(), console.out);
  return 0;
}

std::string summary(policies::Policy const& policy) {
  auto const rules = policy.rules.size();
  return "ok (" + std::to_string(rules) + (rules == 1 ? " rule" : " rules") + ", network " +
         std::string(to_string(policy.network)) + ")";
}

std::vector<std::string> warnings_of(policies::Policy const& policy) {
  auto warnings = policy.warnings;
  for (auto& note : proxy::import_notes(policy.dlp)) warnings.push_back(std::move(note));
  return warnings;
}

/// Checks one file by itself; prints what people read, returns what machines read.
json::object check_one(Console const& console, std::string const& file, PolicyOptions const& options) {
  policies::Problems problems;
  auto policy = policies::load_policy(policy_sources(console, {file}, {}), problems);
  if (policy != nullptr) problems = proxy::detector_problems(policy->dlp);
  if (policy != nullptr && problems.empty()) problems = test_problems(*policy);
  if (!problems.empty()) policy = nullptr;
  auto const warnings = policy != nullptr ? warnings_of(*policy) : std::vector<std::string>{};
  if (!options.json) {
    print_problems(console.err, problems);
    for (auto const& warning : warnings) print_line(console.err, "warning: " + warning);
    if (policy != nullptr) print_line(console.out, file + ": " + summary(*policy));
  }
  return {{"file", file},
          {"ok", policy != nullptr},
          {"errors", problems_json(problems)},
          {"warnings", json::value_from(warnings)}};
}

int check(Console const& console, PolicyOptions const& options) {
  json::array files;
  bool ok = true;
  for (auto const& file : options.policies) {
    files.push_back(check_one(console, file, options));
    ok = ok && files.back().at("ok").as_bool();
  }
  if (options.json) print_line(console.out, json::serialize(json::object{{"ok", ok}, {"files", files}}));
  return ok ? 0 : kRefused;
}

/// The pattern by which the rule that decided names the host: the most specific one stands first in the answer of
/// `matches`.
std::string matching_pattern(policies::Policy const& policy, policies::Verdict const& verdict,
                             policies::CanonicalHost const& host) {
  for (auto const& rule : policy.rules) {
    if (rule->name != verdict.rule) continue;
    for (auto const& text : rule->hosts) {
      auto const pattern = policies::HostPattern::parse(text);
      if (pattern && pattern->matches(host)) return text;
    }
  }
  return {};
}

int explain(Console const& console, PolicyOptions const& options) {
  auto request = parse_request(options.method, options.url);
  if (!request) {
    print_line(console.err, request.error().what);
    return kUsage;
  }
  request->process = options.process;
  policies::Problems problems;
  auto const policy = policies::load_policy(policy_sources(console, options.policies, options.allow), problems);
  if (policy == nullptr) {
    print_problems(console.err, problems);
    return kUsage;
  }
  auto const verdict = answer(policies::Engine(policy), *request);
  auto const pattern = matching_pattern(*policy, verdict, request->host);
  print_line(console.out, options.json ? explain_json(verdict) : explain_line(verdict));
  if (!options.json && !pattern.empty()) print_line(console.out, "host " + request->host.str() + " matches " + pattern);
  return verdict.action == policies::Action::allow ? 0 : kRefused;
}

struct TestRun {
  json::array outcomes;
  std::size_t failed = 0;
  int status = 0;
};

/// The tests of one file, which is loaded by itself.
void test_one(Console const& console, std::string const& file, PolicyOptions const& options, TestRun& run) {
  policies::Problems problems;
  auto const policy = policies::load_policy(policy_sources(console, {file}, {}), problems);
  if (policy == nullptr) {
    print_problems(console.err, problems);
    run.status = kUsage;
    return;
  }
  policies::Engine const engine(policy);
  for (auto const& outcome : run_tests(engine)) {
    if (!options.json) print_line(console.out, outcome_line(outcome));
    run.outcomes.push_back(outcome_json(outcome));
    run.failed += outcome.passed() ? 0 : 1;
  }
}

int test(Console const& console, PolicyOptions const& options) {
  TestRun run;
  for (auto const& file : options.policies) test_one(console, file, options, run);
  auto const count = run.outcomes.size();
  if (options.json) {
    print_line(console.out, json::serialize(json::object{{"passed", count - run.failed}, {"failed", run.failed}, {"tests", run.outcomes}}));
  } else {
    std::fprintf(console.out, "%zu passed, %zu failed\n", count - run.failed, run.failed);
  }
  if (run.status != 0) return run.status;
  if (count > 0) return run.failed > 0 ? kRefused : 0;
  print_line(console.err, "no tests: write them under 'tests' in the policy file");
  return kUsage;
}

int schema(Console const& console, PolicyOptions const&) {
  auto const text = policies::policy_schema();
  std::fwrite(text.data(), 1, text.size(), console.out);
  return 0;
}

int reload(Console const& console, PolicyOptions const& options) {
  if (auto asked = ask_for_reload(options.pid); !asked) {
    print_line(console.err, "sallyport: " + asked.error().what);
    return kUsage;
  }
  print_line(console.out, "asked; whether the policy was taken stands in the output of the proxy and in its audit log");
  return 0;
}

using Run = int (*)(Console const&, PolicyOptions const&);

/// A subcommand that runs `run` with its own options.
std::pair<CLI::App*, PolicyOptions*> add(CLI::App& parent, Chosen& chosen, std::pair<char const*, char const*> name,
                                         Run run) {
  auto options = std::make_shared<PolicyOptions>();
  auto* command = parent.add_subcommand(name.first, name.second);
  command->callback(
      [&chosen, options, run] { chosen = [options, run](Console const& console) { return run(console, *options); }; });
  return {command, options.get()};
}

constexpr char const* kJson = "Print JSON, for machines";

}  // namespace

void declare_policy(CLI::App& app, Chosen& chosen) {
  auto& policy = *app.add_subcommand("policy", "List, show, check, explain and test policies");
  policy.require_subcommand(1);

  auto [list_command, list_options] = add(policy, chosen, {"list", "List the shipped presets"}, list);
  list_command->add_flag("--json", list_options->json, kJson);

  auto [show_command, show_options] =
      add(policy, chosen, {"show", "Print what policies merge to, and where each rule stands"}, show);
  show_command->add_option("NAME|FILE", show_options->policies, "Presets or files, merged in order")->required();
  show_command->add_flag("--json", show_options->json, kJson);

  auto [check_command, check_options] =
      add(policy, chosen, {"check", "Say what is wrong with policy files, and where"}, check);
  check_command->add_option("FILE", check_options->policies, "Presets or files, each checked by itself")->required();
  check_command->add_flag("--json", check_options->json, kJson);

  auto [explain_command, explain_options] =
      add(policy, chosen, {"explain", "Say what a policy answers to one request"}, explain);
  explain_command->add_option("METHOD", explain_options->method, "HTTP method, or CONNECT")->required();
  explain_command->add_option("URL", explain_options->url, "http://…, https://…, ws://… or wss://…; HOST:PORT for CONNECT")->required();
  explain_command->add_option("--policy", explain_options->policies, "Preset or file; may be repeated")
      ->allow_extra_args(false);
  explain_command->add_option("--allow", explain_options->allow, "HOST[:PORT] to allow as well; may be repeated")
      ->allow_extra_args(false);
  explain_command->add_option("--process", explain_options->process, "Executable that asks, for rules with processes");
  explain_command->add_flag("--json", explain_options->json, kJson);

  auto [test_command, test_options] = add(policy, chosen, {"test", "Run the tests that policy files hold"}, test);
  test_command->add_option("FILE", test_options->policies, "Presets or files, each by itself")->required();
  test_command->add_flag("--json", test_options->json, kJson);

  auto [reload_command, reload_options] = add(policy, chosen, {"reload", "Ask a proxy that runs to read its policy again"}, reload);
  reload_command->add_option("--pid", reload_options->pid, "Process id of the proxy")->required()->check(at_least_one());

  add(policy, chosen, {"schema", "Print the JSON Schema of policy files"}, schema);
}

}  // namespace sallyport::cli
