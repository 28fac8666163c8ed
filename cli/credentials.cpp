#include "cli/credentials.hpp"

#include "base/wipe.hpp"
#include "cli/command_output.hpp"
#include "dlp/known_values.hpp"
#include "dlp/rule_set.hpp"
#include "policies/problem.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace sallyport::cli {
namespace {

Error wrong(policies::Credential const& credential, std::string const& what) {
  return Error{Code::invalid, 0,
               to_string(policies::Problem{credential.place, "credential " + credential.name + ": " + what})};
}

bool is_there(policies::CredentialSource const& source, std::map<std::string, std::string> const& environment) {
  if (auto const* from = std::get_if<policies::FromEnvironment>(&source)) return environment.contains(from->name);
  if (auto const* from = std::get_if<policies::FromFile>(&source)) return std::ifstream(from->path).is_open();
  return true;
}

Result<std::string> read_source(policies::FromEnvironment const& from,
                                std::map<std::string, std::string> const& environment) {
  auto const found = environment.find(from.name);
  if (found == environment.end())
    return Error{Code::invalid, 0, "the variable " + from.name + " is not set; set it, or remove the credential"};
  return found->second;
}

Result<std::string> read_source(policies::FromFile const& from, std::map<std::string, std::string> const&) {
  std::ifstream file(from.path, std::ios::binary);
  std::string text(kMaxCredentialText, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file && !file.eof()) return Error::os(errno, "file " + from.path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

Result<std::string> read_source(policies::FromCommand const& from, std::map<std::string, std::string> const&) {
  return command_output(from.argv, kMaxCredentialText);
}

/// Without the line end that files and programs put behind it.
std::string_view word_of(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

bool is_usable(std::string_view value) {
  bool const visible = std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 0x7f; });
  return visible && value.size() >= dlp::KnownValues::kMinBytes && value.size() <= limits::kMaxCredentialBytes;
}

/// The longest beginning by which a detector would know the value.
std::size_t known_prefix(std::string_view value) {
  std::size_t longest = 0;
  for (auto const& detector : dlp::builtin_detectors()) {
    for (auto const literal : detector.literals) {
      if (!literal.empty() && value.starts_with(literal)) longest = std::max(longest, literal.size());
    }
  }
  return longest;
}

char like(char c, unsigned char random) {
  if (c >= '0' && c <= '9') return static_cast<char>('0' + random % 10);
  if (c >= 'a' && c <= 'z') return static_cast<char>('a' + random % 26);
  if (c >= 'A' && c <= 'Z') return static_cast<char>('A' + random % 26);
  return c;
}

Result<proxy::BrokeredCredential> read_credential(policies::Credential const& credential,
                                                  std::map<std::string, std::string> const& environment) {
  auto value = read_value(credential, environment);
  if (!value) return value.error();
  auto placeholder = make_placeholder(*value);
  if (!placeholder) return wrong(credential, placeholder.error().what);
  auto page = proxy::SecretPage::holding({reinterpret_cast<unsigned char const*>(value->data()), value->size()});
  wipe(*value);
  if (!page) return wrong(credential, page.error().what);
  proxy::BrokeredCredential made{credential.name, *std::move(placeholder), *std::move(page), {}, credential.spots};
  for (auto const& host : credential.hosts) made.hosts.push_back(policies::HostPattern::parse(host).value());
  return made;
}

void wipe_variable(std::string const& name, char** variables) {
  for (char** entry = variables; *entry != nullptr; ++entry) {
    std::string_view const text = *entry;
    bool const is_it = text.starts_with(name) && text.substr(name.size()).starts_with('=');
    if (is_it) ::explicit_bzero(*entry + name.size() + 1, text.size() - name.size() - 1);
  }
}

}  // namespace

Result<std::string> read_value(policies::Credential const& credential, std::map<std::string, std::string> const& environment) {
  return usable_value(credential, std::visit([&](auto const& from) { return read_source(from, environment); }, credential.from));
}

Result<std::string> usable_value(policies::Credential const& credential, Result<std::string> text) {
  if (!text) return wrong(credential, text.error().what);
  std::string value(word_of(*text));
  wipe(*text);
  if (is_usable(value)) return value;
  wipe(value);
  return wrong(credential, "its value is not one word of 8 to 4096 visible characters");
}

Result<std::string> make_placeholder(std::string_view value) {
  std::string random(value.size(), '\0');
  for (std::size_t got = 0; got < random.size();) {
    auto const more = ::getrandom(random.data() + got, random.size() - got, 0);
    if (more < 0) return Error::os(errno, "getrandom");
    got += static_cast<std::size_t>(more);
  }
  std::string placeholder(value);
  for (std::size_t i = known_prefix(value); i < value.size(); ++i)
    placeholder[i] = like(value[i], static_cast<unsigned char>(random[i]));
  return placeholder;
}

Result<void> check_no_handouts(policies::Policy const& policy, std::string_view command) {
  if (!policy.dlp.canaries.empty()) {
    return Error{Code::invalid, 0, "dlp.canaries: only sallyport run can plant decoys; sallyport " + std::string(command) +
                                       " cannot: write 'canaries: off' in the policy, or in one that is named after it"};
  }
  auto const needed =
      std::find_if(policy.credentials.begin(), policy.credentials.end(), [](auto const& each) { return !each.optional; });
  if (needed == policy.credentials.end()) return {};
  return wrong(*needed,
               "only sallyport run can hand out placeholders; sallyport " + std::string(command) +
                   " cannot: make it optional, or where the command has that option, say with --placeholder which one programs hold");
}

Result<std::vector<proxy::BrokeredCredential>> read_credentials(policies::Policy const& policy,
                                                                std::map<std::string, std::string> const& environment) {
  std::vector<proxy::BrokeredCredential> all;
  all.reserve(policy.credentials.size());
  for (auto const& credential : policy.credentials) {
    if (credential.optional && !is_there(credential.from, environment)) continue;
    auto one = read_credential(credential, environment);
    if (!one) return one.error();
    all.push_back(*std::move(one));
  }
  return all;
}

void wipe_sources(policies::Policy const& policy, std::map<std::string, std::string>& environment, char** variables) {
  for (auto const& credential : policy.credentials) {
    auto const* from = std::get_if<policies::FromEnvironment>(&credential.from);
    if (from == nullptr) continue;
    if (auto const known = environment.find(from->name); known != environment.end()) wipe(known->second);
    wipe_variable(from->name, variables);
  }
}

std::map<std::string, std::string> placeholder_files(policies::Policy const& policy, std::vector<proxy::BrokeredCredential> const& credentials) {
  std::map<std::string, std::string> files;
  for (auto const& made : credentials) {
    auto const is_it = [&](policies::Credential const& each) { return each.name == made.name; };
    auto const credential = std::find_if(policy.credentials.begin(), policy.credentials.end(), is_it);
    if (credential == policy.credentials.end() || !credential->into) continue;
    auto text = credential->into->text;
    for (std::size_t hole = 0; (hole = text.find("{}", hole)) != std::string::npos; hole += made.placeholder.size()) {
      text.replace(hole, 2, made.placeholder);
    }
    files[credential->into->path] += text;
  }
  return files;
}

std::map<std::string, std::string> placeholders_of(std::vector<proxy::BrokeredCredential> const& credentials) {
  std::map<std::string, std::string> variables;
  for (auto const& credential : credentials) variables[credential.name] = credential.placeholder;
  return variables;
}

}  // namespace sallyport::cli
