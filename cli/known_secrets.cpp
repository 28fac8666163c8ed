#include "cli/known_secrets.hpp"

#include "base/limits.hpp"
#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace sallyport::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 14> kSecretWords = {"TOKEN",     "SECRET",     "PASSWORD", "PASSWD",   "PASSPHRASE",
                                                           "APIKEY",    "CREDENTIAL", "PASS",     "PAT",      "CREDENTIALS",
                                                           "AUTHTOKEN", "PWD",        "SECRETS",  "ACCESSKEY"};
// Variables of shells and desktops that have such a word in their name.
constexpr std::array<std::string_view, 4> kNoSecrets = {"PWD", "OLDPWD", "SSH_ASKPASS", "GIT_ASKPASS"};
constexpr std::array<std::string_view, 5> kTemplates = {"example", "sample", "template", "dist", "defaults"};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (char const c : name) {
    if (c == '_' || c == '-' || c == '.') {
      words.emplace_back();
    } else {
      words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return words;
}

bool contains(auto const& list, std::string_view word) { return std::find(list.begin(), list.end(), word) != list.end(); }

/// KEY alone names half of what programs are told: only behind a word, and at the end.
bool ends_in_key(std::vector<std::string> const& words) {
  constexpr std::array<std::string_view, 7> kBefore = {"API",  "ACCESS",  "SECRET",    "PRIVATE",
                                                       "AUTH", "SIGNING", "ENCRYPTION"};
  return words.size() >= 2 && words.back() == "KEY" && contains(kBefore, words[words.size() - 2]);
}

bool is_dotenv(std::string const& name) {
  if (name == ".env") return true;
  if (!name.starts_with(".env.")) return false;
  auto const extension = name.substr(name.rfind('.') + 1);
  return !contains(kTemplates, extension);
}

/// Regular files only, and no waiting: whoever made it may have made a pipe of it.
std::string read_file(fs::path const& path) {
  auto const file = UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path.string());
  struct stat facts {};
  if (!file || ::fstat(file->get(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
  std::string text(limits::kMaxDotenvBytes, '\0');
  auto const got = ::read(file->get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string_view trimmed(std::string_view text) {
  auto const begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view unquoted(std::string_view value) {
  bool const quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.find(value.front(), 1) != std::string_view::npos;
  if (quoted) return value.substr(1, value.find(value.front(), 1) - 1);
  return trimmed(value.substr(0, value.find(" #")));
}

void add_line(std::string_view line, std::vector<dlp::KnownValue>& known) {
  line = trimmed(line);
  if (line.starts_with("export ")) line.remove_prefix(7);
  auto const equals = line.find('=');
  if (line.starts_with('#') || equals == std::string_view::npos) return;
  auto const name = trimmed(line.substr(0, equals));
  auto const value = unquoted(trimmed(line.substr(equals + 1)));
  if (names_a_secret(name) && can_be_known(value)) known.push_back({std::string(name), std::string(value)});
}

}  // namespace

bool names_a_secret(std::string_view name) {
  if (contains(kNoSecrets, name)) return false;
  auto const words = words_of(name);
  return ends_in_key(words) ||
         std::any_of(words.begin(), words.end(), [](auto const& word) { return contains(kSecretWords, word); });
}

bool can_be_known(std::string_view value) {
  bool const word = std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 0x7f; });
  bool const refers = value.starts_with('/') || value.starts_with('$') || value.find("://") != std::string_view::npos;
  return word && !refers && value.size() >= dlp::KnownValues::kMinBytes && !value.starts_with('{') &&
         !value.starts_with('[');
}

std::vector<dlp::KnownValue> known_in_environment(std::map<std::string, std::string> const& environment) {
  std::vector<dlp::KnownValue> known;
  for (auto const& [name, value] : environment) {
    if (names_a_secret(name) && can_be_known(value)) known.push_back({name, value});
  }
  return known;
}

std::vector<dlp::KnownValue> known_in_dotenv(std::string const& directory) {
  std::vector<dlp::KnownValue> known;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    if (!is_dotenv(entry->path().filename().string())) continue;
    std::istringstream lines(read_file(entry->path()));
    for (std::string line; std::getline(lines, line) && known.size() < limits::kMaxKnownValues;) add_line(line, known);
  }
  return known;
}

}  // namespace sallyport::cli
