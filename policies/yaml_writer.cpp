#include "policies/yaml_writer.hpp"

#include "policies/byte_size.hpp"
#include "policies/duration.hpp"
#include "policies/problem.hpp"
#include "policies/public_suffix.hpp"
#include "policies/yaml_rule.hpp"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>
#include <algorithm>

namespace sallyport::policies {

namespace {

template <class T>
void write_list(YAML::Emitter& out, char const* key, std::vector<T> const& values) {
  if (values.empty()) return;
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (auto const& value : values) out << value;
  out << YAML::EndSeq;
}

void write_word(YAML::Emitter& out, char const* key, std::string_view word) {
  out << YAML::Key << key << YAML::Value << std::string(word);
}

void write_resolve(YAML::Emitter& out, ResolveRule const& resolve) {
  if (resolve.kind == ResolveClass::private_) write_word(out, "resolve", "private");
  std::vector<std::string> blocks;
  for (auto const& block : resolve.cidrs) blocks.push_back(block.to_string());
  write_list(out, "resolve", blocks);
}

void write_conditions(YAML::Emitter& out, char const* key, std::vector<Condition> const& conditions) {
  if (conditions.empty()) return;
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginMap;
  for (auto const& [name, values] : conditions) {
    out << YAML::Key << YAML::DoubleQuoted << name << YAML::Value;
    if (values.empty()) {
      out << YAML::Null;
      continue;
    }
    out << YAML::Flow << YAML::BeginSeq;
    for (auto const& value : values) out << YAML::DoubleQuoted << value;
    out << YAML::EndSeq;
  }
  out << YAML::EndMap;
}

void write_git(YAML::Emitter& out, GitRule const& git) {
  out << YAML::Key << "git" << YAML::Value << YAML::Flow << YAML::BeginMap;
  write_list(out, "repos", git.repos);
  write_word(out, "access", git.access == GitAccess::write ? "write" : "read");
  out << YAML::EndMap;
}

void write_limits(YAML::Emitter& out, RuleLimits const& limits) {
  if (limits == RuleLimits{}) return;
  out << YAML::Key << "limits" << YAML::Value << YAML::Flow << YAML::BeginMap;
  if (limits.request_body) write_word(out, "request_body", byte_size_text(*limits.request_body));
  if (limits.upload) write_word(out, "upload", byte_size_text(*limits.upload));
  if (limits.requests_per_minute) write_word(out, "requests_per_minute", std::to_string(*limits.requests_per_minute));
  if (limits.connections) write_word(out, "connections", std::to_string(*limits.connections));
  out << YAML::EndMap;
}

bool needs_public_suffix(Rule const& rule) {
  return rule.action != Action::deny && std::any_of(rule.hosts.begin(), rule.hosts.end(), [](std::string const& host) {
           auto const pattern = HostPattern::parse(host);
           return pattern && spans_public_suffix(*pattern);
         });
}

void write_rule(YAML::Emitter& out, Rule const& rule) {
  auto const from = rule.place.file.empty() ? rule.name : to_string(rule.place);
  out << YAML::Comment("from " + from) << YAML::Newline << YAML::BeginMap;
  if (is_plain_name(rule.name)) write_word(out, "name", rule.name);
  write_list(out, "hosts", rule.hosts);
  write_list(out, "ports", rule.ports);
  write_word(out, "inspect", to_string(rule.inspect));
  write_list(out, "methods", rule.methods);
  write_list(out, "paths", rule.paths);
  write_conditions(out, "query", rule.query);
  write_conditions(out, "headers", rule.headers);
  if (rule.git) write_git(out, *rule.git);
  if (rule.websocket != WebSocketUse::by_methods) write_word(out, "websocket", rule.websocket == WebSocketUse::allowed ? "true" : "false");
  write_word(out, "action", to_string(rule.action));
  write_list(out, "processes", rule.processes);
  write_resolve(out, rule.resolve);
  write_limits(out, rule.limits);
  if (rule.dlp) write_word(out, "dlp", to_string(*rule.dlp));
  if (!rule.hint.empty()) out << YAML::Key << "hint" << YAML::Value << YAML::DoubleQuoted << rule.hint;
  if (needs_public_suffix(rule)) write_word(out, "public_suffix", "true");
  out << YAML::EndMap;
}

/// A list of words, or `off` for none.
template <class Value>
void write_values(YAML::Emitter& out, char const* key, std::vector<Value> const& values) {
  if (values.empty()) return write_word(out, key, "off");
  std::vector<std::string> words;
  for (auto const value : values) words.emplace_back(to_string(value));
  write_list(out, key, words);
}

void write_detectors(YAML::Emitter& out, DlpPolicy const& dlp) {
  if (dlp.disabled.empty() && dlp.imports.empty()) return;
  std::vector<std::string> ids, paths;
  for (auto const& detector : dlp.disabled) ids.push_back(detector.id);
  for (auto const& each : dlp.imports) paths.push_back(each.path);
  out << YAML::Key << "detectors" << YAML::Value << YAML::BeginMap;
  if (!ids.empty()) write_list(out, "disable", ids);
  if (!paths.empty()) write_list(out, "import", paths);
  out << YAML::EndMap;
}

void write_dlp(YAML::Emitter& out, DlpPolicy const& dlp) {
  out << YAML::Key << "dlp" << YAML::Value << YAML::BeginMap;
  write_word(out, "action", to_string(dlp.action));
  write_values(out, "known_values", dlp.known_values);
  write_values(out, "canaries", dlp.canaries);
  if (dlp.responses) write_word(out, "responses", "true");
  write_detectors(out, dlp);
  if (!dlp.allow.empty()) out << YAML::Key << "allow" << YAML::Value << YAML::BeginSeq;
  for (auto const& exception : dlp.allow) {
    out << YAML::Flow << YAML::BeginMap;
    write_word(out, "host", exception.host);
    write_word(out, "detector", exception.detector);
    if (!exception.digest.empty()) write_word(out, "digest", exception.digest);
    if (!exception.until.empty()) write_word(out, "until", exception.until);
    out << YAML::EndMap;
  }
  if (!dlp.allow.empty()) out << YAML::EndSeq;
  out << YAML::EndMap;
}

void write_source(YAML::Emitter& out, CredentialSource const& source) {
  out << YAML::Key << "from" << YAML::Value << YAML::Flow << YAML::BeginMap;
  if (auto const* from = std::get_if<FromEnvironment>(&source)) write_word(out, "env", from->name);
  if (auto const* from = std::get_if<FromFile>(&source)) write_word(out, "file", from->path);
  if (auto const* from = std::get_if<FromCommand>(&source)) {
    write_list(out, "command", from->argv);
    if (from->every) write_word(out, "every", duration_text(*from->every));
  }
  out << YAML::EndMap;
}

void write_spot(YAML::Emitter& out, CredentialSpot const& spot) {
  switch (spot.kind) {
    case CredentialSpot::Kind::header:
      return spot.form == "{}" ? write_word(out, "header", spot.name) : write_word(out, "authorization", spot.form);
    case CredentialSpot::Kind::basic:
      return write_word(out, "basic", "true");
    case CredentialSpot::Kind::query:
      return write_word(out, "query", spot.name);
    case CredentialSpot::Kind::body:
      return write_word(out, "body", "true");
    case CredentialSpot::Kind::sigv4:
      return write_word(out, "sigv4", "true");
  }
}

void write_into(YAML::Emitter& out, CredentialFile const& into) {
  out << YAML::Key << "into" << YAML::Value << YAML::Flow << YAML::BeginMap;
  write_word(out, "file", "~/" + into.path);
  out << YAML::Key << "text" << YAML::Value << YAML::DoubleQuoted << into.text << YAML::EndMap;
}

void write_credentials(YAML::Emitter& out, std::vector<Credential> const& credentials) {
  if (credentials.empty()) return;
  out << YAML::Key << "credentials" << YAML::Value << YAML::BeginSeq;
  for (auto const& credential : credentials) {
    out << YAML::BeginMap;
    write_word(out, "name", credential.name);
    write_source(out, credential.from);
    write_list(out, "hosts", credential.hosts);
    for (auto const& spot : credential.spots) write_spot(out, spot);
    if (credential.into) write_into(out, *credential.into);
    if (credential.optional) write_word(out, "optional", "true");
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void write_jail(YAML::Emitter& out, Filesystem const& filesystem, Environment const& environment) {
  out << YAML::Key << "jail" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "filesystem" << YAML::Value << YAML::BeginMap;
  write_list(out, "read", filesystem.read);
  write_list(out, "write", filesystem.write);
  write_list(out, "hide", filesystem.hide);
  write_word(out, "workspace", to_string(filesystem.workspace));
  out << YAML::EndMap << YAML::Key << "env" << YAML::Value << YAML::BeginMap;
  write_list(out, "pass", environment.pass);
  out << YAML::Key << "set" << YAML::Value << YAML::BeginMap;
  for (auto const& [name, value] : environment.set) out << YAML::Key << name << YAML::Value << YAML::DoubleQuoted << value;
  out << YAML::EndMap << YAML::EndMap << YAML::EndMap;
}

}  // namespace

std::string to_yaml(Policy const& policy) {
  YAML::Emitter out;
  for (auto const& layer : policy.layers) out << YAML::Comment(layer) << YAML::Newline;
  out << YAML::Comment(policy.digest) << YAML::Newline << YAML::BeginMap;
  out << YAML::Key << "version" << YAML::Value << 1;
  if (is_plain_name(policy.name)) write_word(out, "name", policy.name);
  write_word(out, "network", to_string(policy.network));
  out << YAML::Key << "egress" << YAML::Value << YAML::BeginSeq;
  for (auto const& rule : policy.rules) write_rule(out, *rule);
  out << YAML::EndSeq;
  write_dlp(out, policy.dlp);
  write_credentials(out, policy.credentials);
  write_jail(out, policy.filesystem, policy.environment);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::string_view to_string(Network network) {
  switch (network) {
    case Network::none:
      return "none";
    case Network::restricted:
      return "restricted";
    case Network::full:
      return "full";
  }
  return "none";
}

std::string_view to_string(DlpAction action) {
  switch (action) {
    case DlpAction::off:
      return "off";
    case DlpAction::alert:
      return "alert";
    case DlpAction::redact:
      return "redact";
    case DlpAction::block:
      return "block";
  }
  return "block";
}

std::string_view to_string(KnownSource source) { return source == KnownSource::env ? "env" : "dotenv"; }

std::string_view to_string(CanaryPlace place) { return place == CanaryPlace::env ? "env" : "files"; }

std::string_view to_string(Inspect inspect) {
  switch (inspect) {
    case Inspect::full:
      return "full";
    case Inspect::sni:
      return "sni";
    case Inspect::raw:
      return "raw";
  }
  return "full";
}

std::string_view to_string(Workspace workspace) { return workspace == Workspace::ro ? "ro" : "rw"; }

}  // namespace sallyport::policies
