#include "policies/yaml_layer.hpp"

#include "policies/quote.hpp"
#include "policies/yaml_credentials.hpp"
#include "policies/yaml_dlp.hpp"
#include "policies/yaml_jail.hpp"
#include "policies/yaml_map.hpp"
#include "policies/yaml_rule.hpp"
#include "policies/yaml_tests.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

void check_version(YamlMap const& map, Problems& problems) {
  auto const* value = map.find("version");
  if (value == nullptr) {
    problems.push_back({map.place_of("version"), "'version' is missing; write version: 1"});
  } else if (value->kind != YamlNode::Kind::scalar || value->text != "1") {
    problems.push_back({value->place, "this version of Sallyport reads version: 1 only"});
  }
}

void check_mode(YamlMap const& map, Problems& problems) {
  constexpr std::string_view kWords[] = {"enforce", "monitor"};
  auto const* value = map.find("mode");
  if (value != nullptr && read_word(*value, "mode", kWords, problems) == 1u) {
    problems.push_back({value->place, "'mode: monitor' is not available in this version of Sallyport; remove it"});
  }
}

std::string read_policy_name(YamlNode const& node, Problems& problems) {
  auto const name = read_text(node, "name", problems);
  if (name && !is_plain_name(*name)) {
    problems.push_back(
        {node.place, "policy name " + in_quotes(*name) + " is not usable; write letters, digits, '.', '_' and '-'"});
  }
  return name.value_or("");
}

std::optional<Network> read_network(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"none", "restricted", "full"};
  constexpr Network kNetworks[] = {Network::none, Network::restricted, Network::full};
  auto const word = read_word(node, "network", kWords, problems);
  return word ? std::optional(kNetworks[*word]) : std::nullopt;
}

/// An empty `egress` is no network.
std::vector<Rule> read_egress(YamlNode const& node, Problems& problems) {
  std::vector<Rule> rules;
  if (node.kind == YamlNode::Kind::null) return rules;
  if (node.kind != YamlNode::Kind::sequence) {
    problems.push_back({node.place, "'egress' must be a list of rules, each beginning with '-'"});
    return rules;
  }
  for (auto const& item : node.items) {
    if (auto rule = read_rule(item, problems)) rules.push_back(std::move(*rule));
  }
  return rules;
}

void read_document(YamlMap const& map, std::string const& home, Layer& layer, Problems& problems) {
  check_version(map, problems);
  check_mode(map, problems);
  layer.network_place = map.place_of("network");
  if (auto const* value = map.find("name")) layer.name = read_policy_name(*value, problems);
  if (auto const* value = map.find("network")) layer.network = read_network(*value, problems);
  if (auto const* value = map.find("egress")) layer.rules = read_egress(*value, problems);
  if (auto const* value = map.find("tests")) layer.tests = read_tests(*value, problems);
  if (auto const* value = map.find("credentials")) layer.credentials = read_credentials(*value, home, problems);
  if (auto const* value = map.find("dlp")) layer.dlp = read_dlp(*value, problems);
  if (auto const* value = map.find("extends")) {
    for (auto const* item : read_list(*value, "extends", problems)) layer.extends.push_back({item->text, item->place});
  }
  if (auto const* value = map.find("jail")) {
    auto jail = read_jail(*value, home, problems);
    layer.filesystem = std::move(jail.filesystem);
    layer.environment = std::move(jail.environment);
  }
}

bool stands_before(Problem const& a, Problem const& b) {
  return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
}

}  // namespace

std::optional<Layer> read_layer(std::string const& file, std::string text, std::string const& home, Problems& problems) {
  auto const before = problems.size();
  auto const root = parse_yaml(file, text, problems);
  if (!root) return std::nullopt;
  if (root->kind == YamlNode::Kind::null) {
    problems.push_back({{file, 1, 1}, "the file is empty; a policy begins with version: 1"});
    return std::nullopt;
  }
  Layer layer;
  YamlMap const map(*root, Section::document, problems);
  if (root->kind == YamlNode::Kind::map) read_document(map, home, layer, problems);
  if (problems.size() != before) {
    std::stable_sort(problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end(), stands_before);
    return std::nullopt;
  }
  layer.bytes = std::move(text);
  return layer;
}

}  // namespace sallyport::policies
