#include "policies/yaml_map.hpp"

#include "policies/nearest.hpp"
#include "policies/quote.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

std::string unknown_key(std::string const& key, std::span<Key const> keys) {
  std::vector<std::string_view> names;
  std::string listed;
  for (auto const& known : keys) {
    if (known.availability == Availability::later) continue;
    names.push_back(known.name);
    listed += (listed.empty() ? "" : ", ") + std::string(known.name);
  }
  auto const close = nearest(key, names);
  if (!close.empty()) return "unknown key " + in_quotes(key) + "; did you mean '" + close + "'?";
  return "unknown key " + in_quotes(key) + "; known here: " + listed;
}

void check_key(YamlNode const& key, std::span<Key const> keys, Problems& problems) {
  if (key.kind != YamlNode::Kind::scalar) {
    problems.push_back({key.place, "a key must be a word"});
    return;
  }
  auto const known = std::find_if(keys.begin(), keys.end(), [&](Key const& each) { return each.name == key.text; });
  if (known == keys.end()) {
    problems.push_back({key.place, unknown_key(key.text, keys)});
  } else if (known->availability == Availability::later) {
    problems.push_back({key.place, in_quotes(key.text) + " is not available in this version of Sallyport; remove it"});
  }
}

std::string kind_of(YamlNode const& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return in_quotes(node.text);
    case YamlNode::Kind::sequence:
      return "a list";
    case YamlNode::Kind::map:
      return "a mapping";
  }
  return "nothing";
}

}  // namespace

YamlMap::YamlMap(YamlNode const& node, Section section, Problems& problems) : node_(node) {
  if (node.kind != YamlNode::Kind::map) {
    problems.push_back({node.place, "expected a mapping (key: value), found " + kind_of(node)});
    return;
  }
  std::vector<std::string> seen;
  for (auto const& [key, value] : node.fields) {
    check_key(key, keys_of(section), problems);
    if (std::find(seen.begin(), seen.end(), key.text) != seen.end()) {
      problems.push_back({key.place, "key " + in_quotes(key.text) + " is given twice; keep one"});
    }
    if (seen.size() <= keys_of(section).size()) seen.push_back(key.text);
  }
}

YamlNode const* YamlMap::find(std::string_view key) const {
  for (auto const& field : node_.fields) {
    if (field.key.kind == YamlNode::Kind::scalar && field.key.text == key) return &field.value;
  }
  return nullptr;
}

Place YamlMap::place_of(std::string_view key) const {
  for (auto const& field : node_.fields) {
    if (field.key.text == key) return field.key.place;
  }
  return node_.place;
}

std::optional<std::string> read_text(YamlNode const& node, std::string_view key, Problems& problems) {
  if (node.kind == YamlNode::Kind::scalar) return node.text;
  problems.push_back({node.place, in_quotes(key) + " must be a single value, found " + kind_of(node)});
  return std::nullopt;
}

std::vector<YamlNode const*> read_list(YamlNode const& node, std::string_view key, Problems& problems) {
  std::vector<YamlNode const*> items;
  if (node.kind != YamlNode::Kind::sequence) {
    auto const example = node.kind == YamlNode::Kind::scalar ? "; write [" + node.text.substr(0, 100) + "]" : "";
    problems.push_back({node.place, in_quotes(key) + " must be a list, found " + kind_of(node) + example});
    return items;
  }
  if (node.items.empty())
    problems.push_back({node.place, in_quotes(key) + " is an empty list; list something or remove the key"});
  for (auto const& item : node.items) {
    if (read_text(item, key, problems)) items.push_back(&item);
  }
  return items;
}

std::optional<std::size_t> read_word(YamlNode const& node, std::string_view key, std::span<std::string_view const> words,
                                     Problems& problems) {
  auto const text = read_text(node, key, problems);
  if (!text) return std::nullopt;
  auto const found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string listed;
  for (auto word : words) listed += (listed.empty() ? "" : ", ") + std::string(word);
  problems.push_back({node.place, in_quotes(key) + " cannot be " + in_quotes(*text) + "; it is one of: " + listed});
  return std::nullopt;
}

bool read_switch(YamlNode const& node, std::string_view key, Problems& problems) {
  constexpr std::string_view kWords[] = {"false", "true"};
  return read_word(node, key, kWords, problems) == 1u;
}

}  // namespace sallyport::policies
