#include "dlp/gitleaks_file.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace sallyport::dlp {
namespace {

int line_of(toml::node const& node) { return static_cast<int>(node.source().begin.line); }

std::string text_of(toml::table const& table, std::string_view key) { return table[key].value_or(std::string()); }

std::vector<std::string> texts_of(toml::table const& table, std::string_view key) {
  std::vector<std::string> texts;
  auto const* array = table[key].as_array();
  if (array == nullptr) return texts;
  for (auto const& node : *array) {
    if (auto const text = node.value<std::string>()) texts.push_back(*text);
  }
  return texts;
}

GitleaksAllowlist allowlist_of(toml::table const& table) {
  GitleaksAllowlist list;
  list.regexes = texts_of(table, "regexes");
  list.stopwords = texts_of(table, "stopwords");
  list.regex_target = text_of(table, "regexTarget");
  auto const condition = text_of(table, "condition");
  list.needs_all = condition == "AND" || condition == "&&";
  list.has_paths = table.contains("paths") || table.contains("commits");
  list.line = line_of(table);
  return list;
}

/// `allowlist` is one, `allowlists` are several.
std::vector<GitleaksAllowlist> allowlists_of(toml::table const& table) {
  std::vector<GitleaksAllowlist> lists;
  if (auto const* one = table["allowlist"].as_table()) lists.push_back(allowlist_of(*one));
  if (auto const* several = table["allowlists"].as_array()) {
    for (auto const& node : *several) {
      if (auto const* each = node.as_table()) lists.push_back(allowlist_of(*each));
    }
  }
  return lists;
}

GitleaksRule rule_of(toml::table const& table) {
  GitleaksRule rule;
  rule.id = text_of(table, "id");
  rule.description = text_of(table, "description");
  rule.regex = text_of(table, "regex");
  rule.keywords = texts_of(table, "keywords");
  rule.entropy = table["entropy"].value_or(0.0);
  rule.secret_group = table["secretGroup"].value_or(0);
  rule.has_path = table.contains("path");
  rule.has_required = table.contains("required");
  rule.allowlists = allowlists_of(table);
  rule.line = line_of(table);
  return rule;
}

}  // namespace

Result<GitleaksFile> read_gitleaks(std::string_view text, std::string_view name) {
  auto const parsed = toml::parse(text);
  if (!parsed) {
    auto const& at = parsed.error().source().begin;
    return Error{Code::invalid, 0,
                 std::string(name) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                     std::string(parsed.error().description())};
  }
  auto const& root = parsed.table();
  auto const* rules = root["rules"].as_array();
  if (rules == nullptr) return Error{Code::invalid, 0, std::string(name) + ": no [[rules]]: not a gitleaks configuration"};
  GitleaksFile file;
  for (auto const& node : *rules) {
    if (auto const* rule = node.as_table()) file.rules.push_back(rule_of(*rule));
  }
  file.allowlists = allowlists_of(root);
  file.extends = root.contains("extend");
  return file;
}

}  // namespace sallyport::dlp
