#include "policies/yaml_jail.hpp"

#include "base/limits.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

bool is_variable_name(std::string_view name) {
  auto const is_word = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  bool const begins_well = !name.empty() && !(name.front() >= '0' && name.front() <= '9');
  return begins_well && std::all_of(name.begin(), name.end(), is_word);
}

/// Why `path` cannot stand in a policy; empty if it can.
std::string path_fault(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.size() >= limits::kMaxPathBytes) return "is too long";
  for (auto rest = path; !rest.empty();) {
    auto const slash = rest.find('/');
    if (rest.substr(0, slash) == "..") return "climbs with '..'; write the path it leads to";
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
  }
  if (path.starts_with('~') && path != "~" && !path.starts_with("~/")) return "names another user's home; write it out";
  return {};
}

std::vector<std::string> read_paths(YamlMap const& map, std::string_view key, Problems& problems) {
  std::vector<std::string> paths;
  auto const* value = map.find(key);
  if (value == nullptr) return paths;
  for (auto const* item : read_list(*value, key, problems)) {
    auto const fault = path_fault(item->text);
    if (!fault.empty()) problems.push_back({item->place, "path " + in_quotes(item->text) + " " + fault});
    paths.push_back(item->text);
  }
  return paths;
}

Workspace read_workspace(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"rw", "ro", "overlay"};
  auto const word = read_word(node, "workspace", kWords, problems);
  if (word == 2u) {
    problems.push_back({node.place, "'workspace: overlay' is not available in this version of Sallyport; write rw or ro"});
  }
  return word == 0u ? Workspace::rw : Workspace::ro;
}

Filesystem read_filesystem(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::filesystem, problems);
  Filesystem filesystem;
  filesystem.read = read_paths(map, "read", problems);
  filesystem.write = read_paths(map, "write", problems);
  filesystem.hide = read_paths(map, "hide", problems);
  if (auto const* value = map.find("workspace")) filesystem.workspace = read_workspace(*value, problems);
  return filesystem;
}

void check_variable(YamlNode const& name, Problems& problems) {
  if (!is_variable_name(name.text)) {
    problems.push_back({name.place, in_quotes(name.text) + " is not the name of an environment variable"});
  }
}

std::map<std::string, std::string> read_set(YamlNode const& node, Problems& problems) {
  std::map<std::string, std::string> set;
  if (node.kind != YamlNode::Kind::map) {
    problems.push_back({node.place, "'set' must be a mapping, as in {CI: \"1\"}"});
    return set;
  }
  for (auto const& [key, value] : node.fields) {
    check_variable(key, problems);
    auto const text = read_text(value, key.text, problems);
    bool const is_new = set.emplace(key.text, text.value_or("")).second;
    if (!is_new) problems.push_back({key.place, "variable " + in_quotes(key.text) + " is set twice; keep one"});
  }
  return set;
}

Environment read_environment(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::environment, problems);
  Environment environment;
  if (auto const* value = map.find("pass")) {
    for (auto const* item : read_list(*value, "pass", problems)) {
      check_variable(*item, problems);
      environment.pass.push_back(item->text);
    }
  }
  if (auto const* value = map.find("set")) environment.set = read_set(*value, problems);
  return environment;
}

}  // namespace

JailSection read_jail(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::jail, problems);
  JailSection jail;
  if (auto const* value = map.find("filesystem")) jail.filesystem = read_filesystem(*value, problems);
  if (auto const* value = map.find("env")) jail.environment = read_environment(*value, problems);
  return jail;
}

}  // namespace sallyport::policies
