#include "policies/yaml_tenants.hpp"

#include "policies/quote.hpp"
#include "policies/text_file.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace sallyport::policies {
namespace {

constexpr std::size_t kMaxNameBytes = 64;

bool is_name(std::string_view text) {
  auto const fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !text.empty() && text.size() <= kMaxNameBytes && std::all_of(text.begin(), text.end(), fits);
}

std::string read_tenant_name(YamlNode const& node, Problems& problems) {
  auto name = read_text(node, "name", problems).value_or("");
  if (is_name(name)) return name;
  problems.push_back({node.place, in_quotes(name) + " is no name of a tenant: 1 to 64 letters, digits, '-' and '_'"});
  return {};
}

std::vector<std::string> read_texts(YamlMap const& map, std::string_view key, Problems& problems) {
  std::vector<std::string> texts;
  auto const* list = map.find(key);
  if (list == nullptr) return texts;
  for (auto const* item : read_list(*list, key, problems)) texts.push_back(item->text);
  return texts;
}

/// One, or a list; a file is looked for beside the one that names it.
std::vector<std::string> read_policies(YamlNode const& node, std::filesystem::path const& folder, Problems& problems) {
  std::vector<YamlNode const*> entries{&node};
  if (node.kind != YamlNode::Kind::scalar) entries = read_list(node, "policy", problems);
  std::vector<std::string> policies;
  for (auto const* entry : entries) {
    bool const is_file = is_policy_file(entry->text);
    policies.push_back(is_file ? (folder / entry->text).lexically_normal().string() : entry->text);
    if (is_file && policies.back().find('/') == std::string::npos) policies.back().insert(0, "./");
  }
  return policies;
}

std::vector<Cidr> read_clients(YamlMap const& map, Problems& problems) {
  std::vector<Cidr> blocks;
  auto const* list = map.find("clients");
  if (list == nullptr) return blocks;
  for (auto const* item : read_list(*list, "clients", problems)) {
    auto const block = Cidr::parse(item->text);
    if (block) blocks.push_back(*block);
    if (!block) problems.push_back({item->place, block.error().what});
  }
  return blocks;
}

/// What is there is read even where something else is missing.
TenantEntry read_tenant(YamlNode const& node, std::filesystem::path const& folder, Problems& problems) {
  YamlMap const map(node, Section::tenant, problems);
  TenantEntry tenant;
  tenant.place = node.place;
  if (node.kind != YamlNode::Kind::map) return tenant;
  auto const* name = map.find("name");
  auto const* policy = map.find("policy");
  if (name != nullptr) tenant.name = read_tenant_name(*name, problems);
  if (name == nullptr) problems.push_back({node.place, "a tenant needs a 'name'"});
  if (policy != nullptr) tenant.policies = read_policies(*policy, folder, problems);
  if (policy == nullptr) problems.push_back({node.place, "a tenant needs a 'policy': a preset or a file, as in policy: npm"});
  tenant.allow = read_texts(map, "allow", problems);
  tenant.clients = read_clients(map, problems);
  tenant.listen = read_texts(map, "listen", problems);
  tenant.listen_tls = read_texts(map, "listen_tls", problems);
  bool const known = map.find("clients") != nullptr || map.find("listen") != nullptr || map.find("listen_tls") != nullptr;
  if (!known) problems.push_back({node.place, "nobody can be this tenant: say who with 'clients', 'listen' or 'listen_tls'"});
  return tenant;
}

void check_names(std::vector<TenantEntry> const& tenants, Problems& problems) {
  for (auto tenant = tenants.begin(); tenant != tenants.end(); ++tenant) {
    auto const same = std::find_if(tenants.begin(), tenant, [&](auto const& each) { return each.name == tenant->name; });
    if (same != tenant && !tenant->name.empty())
      problems.push_back({tenant->place, "there is a tenant " + in_quotes(tenant->name) + " already, at " + to_string(same->place)});
  }
}

/// A smaller block inside a larger one is told apart; the same block twice is not.
void check_blocks(std::vector<TenantEntry> const& tenants, Problems& problems) {
  std::vector<std::pair<Cidr, std::string>> seen;
  for (auto const& tenant : tenants) {
    for (auto const& block : tenant.clients) {
      auto const same = std::find_if(seen.begin(), seen.end(), [&](auto const& each) { return each.first == block; });
      if (same != seen.end())
        problems.push_back({tenant.place, block.to_string() + " is among the 'clients' of " + in_quotes(same->second) + " already"});
      seen.emplace_back(block, tenant.name);
    }
  }
}

std::vector<TenantEntry> read_document(YamlNode const& root, std::filesystem::path const& folder, Problems& problems) {
  std::vector<TenantEntry> tenants;
  YamlMap const map(root, Section::tenants, problems);
  if (root.kind != YamlNode::Kind::map) return tenants;
  auto const* version = map.find("version");
  if (version == nullptr || version->text != "1") problems.push_back({map.place_of("version"), "a tenants file begins with 'version: 1'"});
  auto const* list = map.find("tenants");
  if (list == nullptr || list->kind != YamlNode::Kind::sequence || list->items.empty()) {
    problems.push_back({map.place_of("tenants"), "'tenants' must be a list with at least one entry, as in - {name: ci, policy: npm, clients: [10.1.0.0/16]}"});
    return tenants;
  }
  for (auto const& item : list->items) tenants.push_back(read_tenant(item, folder, problems));
  return tenants;
}

}  // namespace

Result<std::vector<TenantEntry>> read_tenants(std::string const& path) {
  Problems problems;
  std::vector<TenantEntry> tenants;
  if (auto const text = read_text_file(path); !text) {
    problems.push_back({Place{path, 0, 0}, text.error().what});
  } else if (auto const root = parse_yaml(path, *text, problems)) {
    tenants = read_document(*root, std::filesystem::path(path).parent_path(), problems);
    check_names(tenants, problems);
    check_blocks(tenants, problems);
  }
  if (problems.empty()) return tenants;
  return as_error(problems);
}

}  // namespace sallyport::policies
