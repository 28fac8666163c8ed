#include "cli/policy_json.hpp"

#include "policies/yaml_writer.hpp"

#include <boost/json.hpp>

namespace sallyport::cli {

namespace json = boost::json;

namespace {

json::value resolve_json(policies::ResolveRule const& resolve) {
  switch (resolve.kind) {
    case policies::ResolveClass::public_:
      return "public";
    case policies::ResolveClass::private_:
      return "private";
    case policies::ResolveClass::cidrs:
      break;
  }
  json::array blocks;
  for (auto const& block : resolve.cidrs) blocks.emplace_back(block.to_string());
  return blocks;
}

json::object conditions_json(std::vector<policies::Condition> const& conditions) {
  json::object all;
  for (auto const& [name, values] : conditions) all.emplace(name, values.empty() ? json::value() : json::value_from(values));
  return all;
}

json::value git_json(std::optional<policies::GitRule> const& git) {
  if (!git) return nullptr;
  return json::object{{"repos", json::value_from(git->repos)},
                      {"access", git->access == policies::GitAccess::write ? "write" : "read"}};
}

json::value websocket_json(policies::WebSocketUse use) {
  if (use == policies::WebSocketUse::by_methods) return nullptr;
  return use == policies::WebSocketUse::allowed;
}

json::object limits_json(policies::RuleLimits const& limits) {
  json::object all;
  if (limits.request_body) all.emplace("request_body", *limits.request_body);
  if (limits.upload) all.emplace("upload", *limits.upload);
  if (limits.requests_per_minute) all.emplace("requests_per_minute", *limits.requests_per_minute);
  if (limits.connections) all.emplace("connections", *limits.connections);
  return all;
}

json::object rule_json(policies::Rule const& rule) {
  return {{"name", rule.name},
          {"hosts", json::value_from(rule.hosts)},
          {"ports", json::value_from(rule.ports)},
          {"inspect", to_string(rule.inspect)},
          {"methods", json::value_from(rule.methods)},
          {"paths", json::value_from(rule.paths)},
          {"query", conditions_json(rule.query)},
          {"headers", conditions_json(rule.headers)},
          {"git", git_json(rule.git)},
          {"websocket", websocket_json(rule.websocket)},
          {"action", to_string(rule.action)},
          {"processes", json::value_from(rule.processes)},
          {"resolve", resolve_json(rule.resolve)},
          {"limits", limits_json(rule.limits)},
          {"dlp", rule.dlp ? json::value(to_string(*rule.dlp)) : json::value()},
          {"hint", rule.hint},
          {"file", rule.place.file},
          {"line", rule.place.line}};
}

json::object filesystem_json(policies::Filesystem const& filesystem) {
  return {{"read", json::value_from(filesystem.read)},
          {"write", json::value_from(filesystem.write)},
          {"hide", json::value_from(filesystem.hide)},
          {"workspace", to_string(filesystem.workspace)}};
}

json::object dlp_json(policies::DlpPolicy const& dlp) {
  json::array sources, canaries, disabled, imports, allow;
  for (auto const source : dlp.known_values) sources.emplace_back(to_string(source));
  for (auto const place : dlp.canaries) canaries.emplace_back(to_string(place));
  for (auto const& detector : dlp.disabled) disabled.emplace_back(detector.id);
  for (auto const& each : dlp.imports) imports.emplace_back(each.path);
  for (auto const& each : dlp.allow) {
    allow.push_back(json::object{{"host", each.host}, {"detector", each.detector}, {"digest", each.digest}, {"until", each.until}});
  }
  return {{"action", to_string(dlp.action)}, {"known_values", sources}, {"canaries", canaries}, {"responses", dlp.responses}, {"disabled", disabled}, {"imports", imports}, {"allow", allow}};
}

json::array credentials_json(std::vector<policies::Credential> const& credentials) {
  json::array all;
  for (auto const& each : credentials) all.push_back(json::object{{"name", each.name}, {"hosts", json::value_from(each.hosts)}});
  return all;
}

}  // namespace

json::object policy_json(policies::Policy const& policy) {
  json::array rules;
  for (auto const& rule : policy.rules) rules.push_back(rule_json(*rule));
  json::object const environment = {{"pass", json::value_from(policy.environment.pass)},
                                    {"set", json::value_from(policy.environment.set)}};
  json::object const jail = {{"filesystem", filesystem_json(policy.filesystem)}, {"env", environment}};
  return {{"name", policy.name},
          {"layers", json::value_from(policy.layers)},
          {"digest", policy.digest},
          {"network", to_string(policy.network)},
          {"egress", rules},
          {"dlp", dlp_json(policy.dlp)},
          {"credentials", credentials_json(policy.credentials)},
          {"jail", jail},
          {"warnings", json::value_from(policy.warnings)}};
}

json::value problems_json(policies::Problems const& problems) {
  json::array list;
  for (auto const& [place, what] : problems) {
    list.push_back(json::object{{"file", place.file}, {"line", place.line}, {"column", place.column}, {"message", what}});
  }
  return list;
}

}  // namespace sallyport::cli
