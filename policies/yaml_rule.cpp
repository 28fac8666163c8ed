#include "policies/yaml_rule.hpp"

#include "base/limits.hpp"
#include "policies/host_pattern.hpp"
#include "policies/path_glob.hpp"
#include "policies/port.hpp"
#include "policies/quote.hpp"
#include "policies/rule_checks.hpp"
#include "policies/yaml_conditions.hpp"
#include "policies/yaml_dlp.hpp"
#include "policies/yaml_limits.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

constexpr std::uint16_t kHttpsPort = 443;

bool is_letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// method: RFC 9110 section 9.1; registered methods are upper case with '-'.
bool is_method(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; });
}

std::string read_name(YamlNode const& node, Problems& problems) {
  auto const name = read_text(node, "name", problems);
  if (!name) return {};
  if (*name == "default" || !is_plain_name(*name)) {
    problems.push_back({node.place, "rule name " + in_quotes(*name) +
                                        " is not usable; write letters, digits, '.', '_' and '-', and not 'default'"});
  }
  return *name;
}

/// Patterns with where each stands.
std::vector<PlacedHost> read_hosts(YamlNode const& node, Problems& problems) {
  std::vector<PlacedHost> hosts;
  for (auto const* item : read_list(node, "hosts", problems)) {
    auto pattern = HostPattern::parse(item->text);
    if (pattern) {
      hosts.push_back({std::move(*pattern), item->place});
    } else {
      problems.push_back({item->place, pattern.error().what});
    }
  }
  return hosts;
}

std::vector<std::uint16_t> read_ports(YamlNode const& node, Problems& problems) {
  std::vector<std::uint16_t> ports;
  for (auto const* item : read_list(node, "ports", problems)) {
    auto port = parse_port(item->text);
    if (port) {
      ports.push_back(*port);
    } else {
      problems.push_back({item->place, port.error().what});
    }
  }
  return ports;
}

std::vector<std::string> read_methods(YamlNode const& node, Problems& problems) {
  std::vector<std::string> methods;
  for (auto const* item : read_list(node, "methods", problems)) {
    if (!is_method(item->text)) {
      problems.push_back({item->place, in_quotes(item->text) + " is not a method; write it in upper case, as in GET"});
    }
    methods.push_back(item->text);
  }
  return methods;
}

/// Globs as `compile` understands them.
std::vector<std::string> read_globs(YamlNode const& node, std::string_view key, Result<PathGlob> (*compile)(std::string_view),
                                    Problems& problems) {
  std::vector<std::string> globs;
  for (auto const* item : read_list(node, key, problems)) {
    auto glob = compile(item->text);
    if (glob) {
      globs.push_back(glob->text());
    } else {
      problems.push_back({item->place, glob.error().what});
    }
  }
  return globs;
}

/// One line that a refusal can carry in a header and a log.
std::string read_hint(YamlNode const& node, Problems& problems) {
  auto const text = read_text(node, "hint", problems).value_or("");
  bool const printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (!text.empty() && (!printable || text.size() > limits::kMaxHintBytes)) {
    problems.push_back({node.place, "'hint' must be one line of ASCII, at most " + std::to_string(limits::kMaxHintBytes) + " bytes"});
  }
  return text;
}

Inspect read_inspect(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"full", "sni", "raw"};
  constexpr Inspect kModes[] = {Inspect::full, Inspect::sni, Inspect::raw};
  auto const word = read_word(node, "inspect", kWords, problems);
  return word ? kModes[*word] : Inspect::full;
}

Action read_action(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"deny", "allow", "ask"};
  constexpr Action kActions[] = {Action::deny, Action::allow, Action::ask};
  auto const word = read_word(node, "action", kWords, problems);
  return word ? kActions[*word] : Action::deny;
}

WebSocketUse read_websocket(YamlNode const& node, Problems& problems) {
  constexpr std::string_view kWords[] = {"false", "true"};
  auto const word = read_word(node, "websocket", kWords, problems);
  return word == 1u ? WebSocketUse::allowed : WebSocketUse::refused;
}

std::vector<Cidr> read_cidrs(YamlNode const& node, Problems& problems) {
  std::vector<Cidr> cidrs;
  for (auto const* item : read_list(node, "resolve", problems)) {
    auto block = Cidr::parse(item->text);
    if (!block) {
      problems.push_back({item->place, block.error().what});
      continue;
    }
    auto const metadata = metadata_address_in(*block);
    if (metadata && !block->is_single_address()) {
      problems.push_back({item->place, block->to_string() + " contains the cloud metadata address " +
                                           metadata->to_string() + "; list narrower blocks, or that address by itself"});
    }
    cidrs.push_back(*block);
  }
  return cidrs;
}

ResolveRule read_resolve(YamlNode const& node, Problems& problems) {
  if (node.kind == YamlNode::Kind::sequence) return {ResolveClass::cidrs, read_cidrs(node, problems)};
  constexpr std::string_view kWords[] = {"public", "private"};
  auto const word = read_word(node, "resolve", kWords, problems);
  return {word == 1u ? ResolveClass::private_ : ResolveClass::public_, {}};
}

/// The values of the keys that are there; defaults for the rest.
Rule read_values(YamlNode const& node, YamlMap const& map, Problems& problems) {
  Rule rule;
  rule.place = node.place;
  if (auto const* value = map.find("name")) rule.name = read_name(*value, problems);
  if (auto const* value = map.find("action")) rule.action = read_action(*value, problems);
  if (auto const* value = map.find("ports")) {
    rule.ports = read_ports(*value, problems);
  } else if (rule.action != Action::deny) {
    rule.ports = {kHttpsPort};
  }
  if (auto const* value = map.find("inspect")) rule.inspect = read_inspect(*value, problems);
  if (auto const* value = map.find("methods")) rule.methods = read_methods(*value, problems);
  if (auto const* value = map.find("paths")) rule.paths = read_globs(*value, "paths", PathGlob::compile, problems);
  if (auto const* value = map.find("query")) rule.query = read_query(*value, problems);
  if (auto const* value = map.find("headers")) rule.headers = read_headers(*value, problems);
  if (auto const* value = map.find("git")) rule.git = read_git(*value, problems);
  if (auto const* value = map.find("websocket")) rule.websocket = read_websocket(*value, problems);
  if (auto const* value = map.find("processes")) rule.processes = read_globs(*value, "processes", PathGlob::compile_file, problems);
  if (auto const* value = map.find("limits")) rule.limits = read_limits(*value, problems);
  if (auto const* value = map.find("dlp")) rule.dlp = read_dlp_action(*value, "dlp", problems);
  if (auto const* value = map.find("hint")) rule.hint = read_hint(*value, problems);
  if (auto const* value = map.find("resolve")) rule.resolve = read_resolve(*value, problems);
  return rule;
}

PublicSuffix read_public_suffix(YamlMap const& map, Problems& problems) {
  constexpr std::string_view kWords[] = {"false", "true"};
  auto const* value = map.find("public_suffix");
  if (value == nullptr) return PublicSuffix::refused;
  return read_word(*value, "public_suffix", kWords, problems) == 1u ? PublicSuffix::accepted : PublicSuffix::refused;
}

}  // namespace

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kMaxNameBytes = 64;
  auto const is_plain = [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; };
  return !name.empty() && name.size() <= kMaxNameBytes && is_letter_or_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), is_plain);
}

std::optional<Rule> read_rule(YamlNode const& node, Problems& problems) {
  auto const before = problems.size();
  YamlMap const map(node, Section::rule, problems);
  if (node.kind != YamlNode::Kind::map) return std::nullopt;
  auto rule = read_values(node, map, problems);

  std::vector<PlacedHost> hosts;
  if (auto const* value = map.find("hosts")) {
    hosts = read_hosts(*value, problems);
  } else {
    problems.push_back({node.place, "a rule without 'hosts' allows nothing; write hosts: [example.com]"});
  }
  for (auto const& host : hosts) rule.hosts.push_back(host.pattern.to_string());
  if (problems.size() != before) return std::nullopt;

  check_hosts(rule, hosts, read_public_suffix(map, problems), problems);
  check_inspection(rule, map.place_of("inspect"), problems);
  check_keys_together(rule, node.place, problems);
  if (problems.size() != before) return std::nullopt;
  return rule;
}

}  // namespace sallyport::policies
