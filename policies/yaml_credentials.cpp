#include "policies/yaml_credentials.hpp"

#include "base/ascii.hpp"
#include "base/limits.hpp"
#include "policies/duration.hpp"
#include "policies/host_pattern.hpp"
#include "policies/quote.hpp"
#include "policies/yaml_jail.hpp"
#include "policies/yaml_map.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

constexpr std::string_view kHole = "{}";

std::string read_variable(YamlNode const& node, std::string_view key, Problems& problems) {
  auto const text = read_text(node, key, problems).value_or("");
  if (!is_variable_name(text))
    problems.push_back({node.place, in_quotes(text) + " is not the name of an environment variable"});
  return text;
}

CredentialSource read_file_source(YamlNode const& node, std::string const& home, Problems& problems) {
  auto path = absolute_path(read_text(node, "file", problems).value_or(""), home);
  if (path) return FromFile{*std::move(path)};
  problems.push_back({node.place, path.error().what});
  return FromFile{};
}

FromCommand read_command_source(YamlNode const& node, Problems& problems) {
  FromCommand command;
  for (auto const* item : read_list(node, "command", problems)) command.argv.push_back(item->text);
  if (!command.argv.empty() && !command.argv.front().starts_with('/')) {
    problems.push_back({node.place, "the program " + in_quotes(command.argv.front()) + " must be an absolute path"});
  }
  return command;
}

/// A program that is run more often than it may take would never be done.
std::optional<std::chrono::milliseconds> read_every(YamlNode const& node, Problems& problems) {
  auto const every = parse_duration(read_text(node, "every", problems).value_or(""));
  if (every && *every >= limits::kMinCredentialRefresh) return *every;
  problems.push_back({node.place, every ? "'every' is at least 1s" : every.error().what});
  return std::nullopt;
}

CredentialSource read_source(YamlNode const& node, std::string const& home, Problems& problems) {
  YamlMap const map(node, Section::credential_source, problems);
  auto const* every = map.find("every");
  if (node.kind == YamlNode::Kind::map && node.fields.size() != (every != nullptr ? 2 : 1)) {
    problems.push_back(
        {node.place, "'from' names one source: {env: NAME}, {file: PATH} or {command: [PROGRAM, ARGUMENT]}"});
    return FromEnvironment{};
  }
  if (auto const* value = map.find("command")) {
    auto command = read_command_source(*value, problems);
    if (every != nullptr) command.every = read_every(*every, problems);
    return command;
  }
  if (every != nullptr) problems.push_back({every->place, "'every' is for a command: a file is read again when it changes, and a variable cannot"});
  if (auto const* value = map.find("file")) return read_file_source(*value, home, problems);
  if (auto const* value = map.find("env")) return FromEnvironment{read_variable(*value, "env", problems)};
  return FromEnvironment{};
}

std::vector<std::string> read_bound_hosts(YamlNode const& node, Problems& problems) {
  std::vector<std::string> hosts;
  for (auto const* item : read_list(node, "hosts", problems)) {
    auto const pattern = HostPattern::parse(item->text);
    if (!pattern) {
      problems.push_back({item->place, pattern.error().what});
    } else if (pattern->kind == HostPattern::Kind::any) {
      problems.push_back({item->place, "a credential for every host is a gift; name the hosts that it is for"});
    } else {
      hosts.push_back(pattern->to_string());
    }
  }
  return hosts;
}

bool is_field_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

CredentialSpot read_header(YamlNode const& node, Problems& problems) {
  auto name = lower_case(read_text(node, "header", problems).value_or(""));
  if (!is_field_name(name)) problems.push_back({node.place, in_quotes(name) + " is not the name of a header field"});
  return {CredentialSpot::Kind::header, std::move(name), std::string(kHole)};
}

CredentialSpot read_authorization(YamlNode const& node, Problems& problems) {
  auto form = read_text(node, "authorization", problems).value_or("");
  if (form.find(kHole) == std::string::npos) {
    problems.push_back({node.place, "'authorization' has to say where the value stands, as in \"Bearer {}\""});
  }
  return {CredentialSpot::Kind::header, "authorization", std::move(form)};
}

std::vector<CredentialSpot> read_spots(YamlMap const& map, Problems& problems) {
  std::vector<CredentialSpot> spots;
  if (auto const* value = map.find("header")) spots.push_back(read_header(*value, problems));
  if (auto const* value = map.find("authorization")) spots.push_back(read_authorization(*value, problems));
  if (auto const* value = map.find("query")) {
    spots.push_back({CredentialSpot::Kind::query, read_text(*value, "query", problems).value_or(""), std::string(kHole)});
  }
  if (auto const* value = map.find("basic"); value != nullptr && read_switch(*value, "basic", problems)) {
    spots.push_back({CredentialSpot::Kind::basic, "authorization", std::string(kHole)});
  }
  if (auto const* value = map.find("body"); value != nullptr && read_switch(*value, "body", problems)) {
    spots.push_back({CredentialSpot::Kind::body, "", std::string(kHole)});
  }
  if (auto const* value = map.find("sigv4"); value != nullptr && read_switch(*value, "sigv4", problems)) {
    spots.push_back({CredentialSpot::Kind::sigv4, "authorization", std::string(kHole)});
  }
  return spots;
}

/// Nothing of it leads out of the home, or is the home.
bool is_below_home(std::string_view path) {
  if (!path.starts_with("~/") || path.ends_with('/')) return false;
  for (auto rest = path.substr(2); !rest.empty();) {
    auto const name = rest.substr(0, rest.find('/'));
    if (name.empty() || name == "." || name == "..") return false;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return path.size() > 2;
}

CredentialFile read_into(YamlNode const& node, Problems& problems) {
  YamlMap const map(node, Section::credential_file, problems);
  CredentialFile into;
  if (node.kind != YamlNode::Kind::map) return into;
  auto const* const file = map.find("file");
  auto const* const text = map.find("text");
  if (file == nullptr || text == nullptr) {
    problems.push_back({node.place, "'into' has a file and a text, as in {file: ~/.netrc, text: \"machine api.example.com login me password {}\\n\"}"});
    return into;
  }
  auto const path = read_text(*file, "file", problems).value_or("");
  if (!is_below_home(path)) problems.push_back({file->place, in_quotes(path) + " is no file below the home of the jail; write it as in ~/.netrc"});
  into.path = path.substr(std::min<std::size_t>(path.size(), 2));
  into.text = read_text(*text, "text", problems).value_or("");
  if (into.text.find(kHole) == std::string::npos) problems.push_back({text->place, "'text' has to say with {} where the placeholder stands"});
  return into;
}

Credential read_credential(YamlNode const& node, std::string const& home, Problems& problems) {
  YamlMap const map(node, Section::credential, problems);
  Credential credential;
  credential.place = node.place;
  if (node.kind != YamlNode::Kind::map) return credential;
  for (auto const key : {"name", "from", "hosts"}) {
    if (map.find(key) == nullptr) problems.push_back({node.place, "a credential needs '" + std::string(key) + "'"});
  }
  if (auto const* value = map.find("name")) credential.name = read_variable(*value, "name", problems);
  if (auto const* value = map.find("from")) credential.from = read_source(*value, home, problems);
  if (auto const* value = map.find("hosts")) credential.hosts = read_bound_hosts(*value, problems);
  if (auto const* value = map.find("optional")) credential.optional = read_switch(*value, "optional", problems);
  if (auto const* value = map.find("into")) credential.into = read_into(*value, problems);
  credential.spots = read_spots(map, problems);
  if (credential.spots.empty()) {
    problems.push_back({node.place,
                        "a credential says where it goes: header: NAME, authorization: \"Bearer {}\", basic: true, query: "
                        "NAME, body: true or sigv4: true"});
  }
  return credential;
}

}  // namespace

std::vector<Credential> read_credentials(YamlNode const& node, std::string const& home, Problems& problems) {
  std::vector<Credential> credentials;
  if (node.kind != YamlNode::Kind::sequence) {
    problems.push_back({node.place, "'credentials' must be a list, each beginning with '-'"});
    return credentials;
  }
  for (auto const& item : node.items) credentials.push_back(read_credential(item, home, problems));
  return credentials;
}

}  // namespace sallyport::policies
