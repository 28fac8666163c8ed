#include "cli/held_credentials.hpp"

#include "base/limits.hpp"
#include "base/wipe.hpp"
#include "cli/credentials.hpp"
#include "cli/sealed_file.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::cli {
namespace {

constexpr std::size_t kMinPlaceholder = 16;  // it must not stand somewhere by chance

Error wrong(std::string const& name, std::string const& what) {
  return Error{Code::invalid, 0, "--placeholder " + name + ": " + what};
}

Result<void> check_names(policies::Policy const& policy, Placeholders const& held) {
  for (auto const& [name, text] : held) {
    auto const is_it = [&name = name](auto const& credential) { return credential.name == name; };
    if (std::ranges::none_of(policy.credentials, is_it)) return wrong(name, "the policy has no credential of this name");
    auto const is_within = [&](auto const& other) { return other.first != name && other.second.find(text) != std::string::npos; };
    if (std::ranges::any_of(held, is_within)) return wrong(name, "its text is part of another placeholder's");
  }
  return {};
}

struct Parted {
  policies::Policy chosen;
  policies::Policy others;  // with what else concerns what is handed out
};
/// No more of the policy than its credentials.
template <class Is>
Parted part(policies::Policy const& policy, Is is_chosen) {
  Parted parted;
  parted.others.dlp = policy.dlp;
  for (auto const& credential : policy.credentials) (is_chosen(credential) ? parted.chosen : parted.others).credentials.push_back(credential);
  return parted;
}

bool is_same(proxy::SecretPage const& value, std::string_view text) {
  auto const bytes = value.bytes();
  return std::equal(bytes.begin(), bytes.end(), text.begin(), text.end(), [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); });
}

Result<void> give_new_value(std::string const& name, std::string_view value, LearningScrub const& scrub, jail::GatewayLink& link) {
  dlp::KnownValue known{name, std::string(value), dlp::KnownKind::credential};
  scrub.learn(known);
  wipe(known.value);
  auto const file = sealed_file("sallyport-credential", value);
  if (!file) return file.error();
  return link.send_credential(name, *file);
}

}  // namespace

Result<Placeholders::value_type> parse_placeholder(std::string_view text) {
  auto const equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return Error{Code::invalid, 0, "'" + std::string(text) + "' is not NAME=TEXT"};
  std::string name(text.substr(0, equals)), value(text.substr(equals + 1));
  bool const visible = std::ranges::all_of(value, [](char c) { return c > ' ' && c < 0x7f; });
  if (!visible || value.size() < kMinPlaceholder || value.size() > limits::kMaxCredentialBytes)
    return Error{Code::invalid, 0, "the placeholder of " + name + " is not one word of 16 to 4096 visible characters"};
  return Placeholders::value_type(std::move(name), std::move(value));
}

Result<HeldCredentials> read_held(policies::Policy const& policy, Placeholders const& held, std::string_view command,
                                  std::map<std::string, std::string>& environment, char** variables, Clock const& clock) {
  if (auto known = check_names(policy, held); !known) return known.error();
  auto [chosen, others] = part(policy, [&](auto const& credential) { return held.contains(credential.name); });
  if (auto none = check_no_handouts(others, command); !none) return none.error();
  auto declared = chosen.credentials;
  for (auto& credential : chosen.credentials) credential.optional = false;  // it was asked for by name
  HeldCredentials made{{}, CredentialRefresh(chosen, clock), std::move(declared)};
  auto values = read_credentials(chosen, environment);
  if (!values) return values.error();
  made.values = *std::move(values);
  for (auto& each : made.values) {
    each.placeholder = held.at(each.name);
    if (is_same(each.value, each.placeholder)) return wrong(each.name, "it is the value itself");
  }
  wipe_sources(chosen, environment, variables);
  return made;
}

Result<void> check_still_held(policies::Policy const& policy, std::vector<policies::Credential> const& declared, std::string_view command) {
  auto const named = [](std::string const& name) { return [&name](auto const& credential) { return credential.name == name; }; };
  for (auto const& before : declared) {
    auto const now = std::ranges::find_if(policy.credentials, named(before.name));
    if (now == policy.credentials.end() || now->hosts != before.hosts || now->spots != before.spots)
      return Error{Code::unsupported, 0, "credential " + before.name + " is settled when the session starts: start it anew to change or remove it"};
  }
  auto const parted = part(policy, [&](auto const& credential) { return std::ranges::any_of(declared, named(credential.name)); });
  return check_no_handouts(parted.others, command);
}

std::vector<std::string> pass_on_changes(CredentialRefresh& refresh, LearningScrub const& scrub, jail::GatewayLink& link) {
  return refresh.look([&](std::string const& name, std::string_view value) { return give_new_value(name, value, scrub, link); });
}

}  // namespace sallyport::cli
