#include "policies/yaml_conditions.hpp"

#include "base/limits.hpp"
#include "policies/path_glob.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sallyport::policies {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// token: RFC 9110 section 5.6.2
bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

void check_glob(YamlNode const& node, Problems& problems) {
  if (node.text.size() <= limits::kMaxTextGlobBytes) return;
  problems.push_back({node.place, "longer than " + std::to_string(limits::kMaxTextGlobBytes) + " bytes; use '*' for a part of it"});
}

std::vector<std::string> read_values(YamlNode const& node, std::string const& name, Problems& problems) {
  if (node.kind == YamlNode::Kind::null) return {};
  if (node.kind == YamlNode::Kind::scalar) {
    check_glob(node, problems);
    return {node.text};
  }
  std::vector<std::string> values;
  for (auto const* item : read_list(node, name, problems)) {
    check_glob(*item, problems);
    values.push_back(item->text);
  }
  return values;
}

void add(std::vector<Condition>& to, Condition condition, Place const& place, Problems& problems) {
  auto const same = [&](Condition const& other) { return other.name == condition.name; };
  if (std::any_of(to.begin(), to.end(), same)) {
    problems.push_back({place, in_quotes(condition.name) + " is given twice; list all its values in one place"});
  }
  to.push_back(std::move(condition));
}

bool is_filled_map(YamlNode const& node, std::string_view key, std::string_view example, Problems& problems) {
  if (node.kind == YamlNode::Kind::map && !node.fields.empty()) return true;
  problems.push_back({node.place, in_quotes(key) + " must be a mapping, as in " + std::string(example)});
  return false;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

GitAccess read_access(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"read", "write"};
  return read_word(node, "access", kWords, problems) == 1u ? GitAccess::write : GitAccess::read;
}

/// A glob below the host's root, as people name repositories: no slash in front, no ".git".
void read_repo(YamlNode const& node, std::vector<std::string>& repos, Problems& problems) {
  auto const fault = [&](std::string_view why) {
    problems.push_back({node.place, "repository " + in_quotes(node.text) + " " + std::string(why)});
  };
  if (node.text.empty() || node.text.starts_with('/')) return fault("begins below the host; write group/project");
  if (node.text.ends_with(".git")) return fault("ends in '.git', which is left out here");
  if (node.text.find('%') != std::string::npos) return fault("holds an escape, which names of repositories cannot");
  auto const glob = PathGlob::compile("/" + node.text);
  if (!glob) return fault("is no path: " + glob.error().what);
  repos.push_back(glob->text().substr(1));
}

}  // namespace

std::vector<Condition> read_query(YamlNode const& node, Problems& problems) {
  std::vector<Condition> conditions;
  if (!is_filled_map(node, "query", "{format: json}", problems)) return conditions;
  for (auto const& [key, value] : node.fields) {
    if (key.kind != YamlNode::Kind::scalar || key.text.empty()) {
      problems.push_back({key.place, "the name of a parameter must be a word"});
      continue;
    }
    add(conditions, {key.text, read_values(value, key.text, problems)}, key.place, problems);
  }
  return conditions;
}

std::vector<Condition> read_headers(YamlNode const& node, Problems& problems) {
  std::vector<Condition> conditions;
  if (!is_filled_map(node, "headers", "{content-type: application/json*}", problems)) return conditions;
  for (auto const& [key, value] : node.fields) {
    if (key.kind != YamlNode::Kind::scalar || !is_token(key.text)) {
      problems.push_back({key.place, in_quotes(key.text) + " is not the name of a header field"});
      continue;
    }
    add(conditions, {lower(key.text), read_values(value, key.text, problems)}, key.place, problems);
  }
  return conditions;
}

std::optional<GitRule> read_git(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::git, problems);
  if (node.kind != YamlNode::Kind::map) return std::nullopt;
  GitRule git;
  if (auto const* value = map.find("access")) git.access = read_access(*value, problems);
  if (auto const* value = map.find("repos")) {
    for (auto const* item : read_list(*value, "repos", problems)) read_repo(*item, git.repos, problems);
  } else {
    problems.push_back({node.place, "'git' without 'repos' allows nothing; write {repos: [\"group/*\"], access: read}"});
  }
  return git;
}

}  // namespace sallyport::policies
