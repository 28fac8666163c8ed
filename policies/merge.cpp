#include "policies/merge.hpp"

#include "policies/digest.hpp"
#include "policies/rule_reach.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sallyport::policies {

namespace {

/// Given names must be unique; rules without one are named after their first host, numbered if that name is taken.
void name_rules(std::vector<Rule>& rules, Problems& problems) {
  std::unordered_map<std::string, Place> given;
  for (auto const& rule : rules) {
    if (rule.name.empty()) continue;
    auto const [other, is_new] = given.emplace(rule.name, rule.place);
    if (is_new) continue;
    problems.push_back({rule.place, "a rule named '" + rule.name + "' stands at " + to_string(other->second) +
                                        " too; rule names must be unique"});
  }
  std::unordered_map<std::string, int> used;
  for (auto& rule : rules) {
    if (!rule.name.empty()) continue;
    auto const& base = rule.hosts.front();
    do {
      int const count = ++used[base];
      rule.name = count == 1 ? base : base + "-" + std::to_string(count);
    } while (!given.emplace(rule.name, rule.place).second);
  }
}

/// The widest that any layer says; without a word, restricted if there is a rule that could allow something.
Network merged_network(std::vector<Layer> const& layers, std::vector<Rule> const& rules, Problems& problems) {
  auto const opening =
      std::find_if(rules.begin(), rules.end(), [](Rule const& rule) { return rule.action != Action::deny; });
  auto network = opening == rules.end() ? Network::none : Network::restricted;
  for (auto const& layer : layers) {
    if (layer.network == Network::none && opening != rules.end()) {
      auto const where = to_string(opening->place);
      problems.push_back({layer.network_place, "network: none contradicts rule '" + opening->name + "'" +
                                                   (where.empty() ? "" : " at " + where) + "; remove one of them"});
    }
    if (layer.network) network = std::max(network, *layer.network);
  }
  return network;
}

void check_any_host(Network network, std::vector<Rule> const& rules, Problems& problems) {
  if (network == Network::full) return;
  for (auto const& rule : rules) {
    bool const any_host = std::find(rule.hosts.begin(), rule.hosts.end(), "*") != rule.hosts.end();
    if (rule.action == Action::deny || !any_host) continue;
    problems.push_back({rule.place, "host '*' is every name there is; it needs network: full, or list the hosts"});
  }
}

void append_new(std::vector<std::string>& to, std::vector<std::string> const& from) {
  for (auto const& each : from) {
    if (std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
  }
}

void merge_jail(Policy& policy, Layer const& layer) {
  append_new(policy.filesystem.read, layer.filesystem.read);
  append_new(policy.filesystem.write, layer.filesystem.write);
  append_new(policy.filesystem.hide, layer.filesystem.hide);
  if (layer.filesystem.workspace == Workspace::ro) policy.filesystem.workspace = Workspace::ro;
  append_new(policy.environment.pass, layer.environment.pass);
  for (auto const& [name, value] : layer.environment.set) policy.environment.set[name] = value;
}

void merge_dlp(DlpPolicy& dlp, DlpSection const& section) {
  if (section.action) dlp.action = *section.action;
  if (section.known_values) dlp.known_values = *section.known_values;
  if (section.canaries) dlp.canaries = *section.canaries;
  if (section.responses) dlp.responses = *section.responses;
  dlp.imports.insert(dlp.imports.end(), section.imports.begin(), section.imports.end());
  dlp.disabled.insert(dlp.disabled.end(), section.disabled.begin(), section.disabled.end());
  dlp.allow.insert(dlp.allow.end(), section.allow.begin(), section.allow.end());
}

void merge_credentials(std::vector<Credential>& all, std::vector<Credential> more, Problems& problems) {
  for (auto& credential : more) {
    auto const same = std::find_if(all.begin(), all.end(), [&](Credential const& each) { return each.name == credential.name; });
    if (same != all.end()) {
      problems.push_back({credential.place, "a credential named '" + credential.name + "' stands at " + to_string(same->place) +
                                                " too; a variable can hold one placeholder"});
      continue;
    }
    all.push_back(std::move(credential));
  }
}

std::string digest_of_layers(std::vector<Layer> const& layers) {
  std::vector<std::string_view> parts;
  for (auto const& layer : layers) {
    parts.push_back(layer.bytes);
    for (auto const& each : layer.dlp.imports) parts.push_back(each.text);
  }
  return digest_of(parts);
}

/// Rules that are there and do less than they seem to.
std::vector<std::string> warnings_of(Policy const& policy) {
  std::vector<std::string> warnings;
  for (auto const& rule : policy.rules) {
    auto const where = rule->place.file.empty() ? "" : to_string(rule->place) + ": ";
    if (rule->action == Action::ask) {
      warnings.push_back(where + "rule '" + rule->name + "' asks a person, which this version cannot do: it refuses");
    }
  }
  return warnings;
}

}  // namespace

std::shared_ptr<Policy const> merge_layers(std::vector<Layer> layers, Problems& problems) {
  auto const before = problems.size();
  auto policy = std::make_shared<Policy>();
  policy->name = "none";
  std::vector<Rule> rules;
  std::unordered_set<std::string> labels;
  policy->digest = digest_of_layers(layers);
  for (auto& layer : layers) {
    if (!labels.insert(layer.label).second) continue;  // the same --allow twice
    policy->layers.push_back(layer.label);
    if (!layer.name.empty()) policy->name = layer.name;
    if (!layer.label.starts_with("--allow ")) policy->tests = std::move(layer.tests);
    merge_jail(*policy, layer);
    merge_dlp(policy->dlp, layer.dlp);
    merge_credentials(policy->credentials, std::move(layer.credentials), problems);
    std::move(layer.rules.begin(), layer.rules.end(), std::back_inserter(rules));
  }
  name_rules(rules, problems);
  policy->network = merged_network(layers, rules, problems);
  check_any_host(policy->network, rules, problems);
  if (problems.size() != before) return nullptr;
  for (auto& rule : rules) policy->rules.push_back(std::make_shared<Rule const>(std::move(rule)));
  policy->warnings = warnings_of(*policy);
  check_reach(policy->rules, policy->warnings, problems);
  if (problems.size() != before) return nullptr;
  return policy;
}

}  // namespace sallyport::policies
