#include "policies/yaml_jail.hpp"

#include "base/limits.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

std::vector<std::string> read_paths(YamlNode const* value, std::string_view key, std::string const& home,
                                    Problems& problems) {
  std::vector<std::string> paths;
  if (value == nullptr) return paths;
  for (auto const* item : read_list(*value, key, problems)) {
    auto path = absolute_path(item->text, home);
    if (path) {
      paths.push_back(std::move(*path));
    } else {
      problems.push_back({item->place, path.error().what});
    }
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

Filesystem read_filesystem(YamlNode const& node, std::string const& home, Problems& problems) {
  YamlMap const map(node, Section::filesystem, problems);
  Filesystem filesystem;
  filesystem.read = read_paths(map.find("read"), "read", home, problems);
  filesystem.write = read_paths(map.find("write"), "write", home, problems);
  filesystem.hide = read_paths(map.find("hide"), "hide", home, problems);
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

bool is_variable_name(std::string_view name) {
  auto const is_word = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  bool const begins_well = !name.empty() && !(name.front() >= '0' && name.front() <= '9');
  return begins_well && std::all_of(name.begin(), name.end(), is_word);
}

Result<std::string> absolute_path(std::string const& written, std::string const& home) {
  auto const fault = [&](std::string_view why) {
    return Error{Code::invalid, 0, "path " + in_quotes(written) + " " + std::string(why)};
  };
  bool const below_home = written == "~" || written.starts_with("~/");
  if (below_home && home.empty()) return fault("begins with '~', and no home directory is known; write it out");
  auto path = below_home ? home + written.substr(1) : written;
  if (!path.starts_with('/')) return fault("is relative; write an absolute path, or one that begins with '~/'");
  if (path.size() >= limits::kMaxPathBytes) return fault("is too long");
  if ((path + "/").find("/../") != std::string::npos) return fault("climbs with '..'; write the path it leads to");
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

JailSection read_jail(YamlNode const& node, std::string const& home, Problems& problems) {
  YamlMap const map(node, Section::jail, problems);
  JailSection jail;
  if (auto const* value = map.find("filesystem")) jail.filesystem = read_filesystem(*value, home, problems);
  if (auto const* value = map.find("env")) jail.environment = read_environment(*value, problems);
  return jail;
}

}  // namespace sallyport::policies
