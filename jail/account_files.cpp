#include "jail/account_files.hpp"

#include <fstream>
#include <sstream>
#include <string_view>

namespace sallyport::jail {
namespace {

constexpr std::string_view kAccount = "sallyport";

std::string read_file(char const* path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  std::string text = out.str();
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

/// Whether some line has `id` as its third field.
bool has_id(std::string_view text, unsigned id) {
  std::string const wanted = std::to_string(id);
  while (!text.empty()) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + (line.size() < text.size() ? 1 : 0));
    auto const second = line.find(':', line.find(':') + 1);
    if (second == std::string_view::npos) continue;
    auto const field = line.substr(second + 1, line.find(':', second + 1) - second - 1);
    if (field == wanted) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> passwd_with(Identity const& identity, std::string const& home) {
  std::string text = read_file("/etc/passwd");
  if (has_id(text, identity.uid)) return std::nullopt;
  std::ostringstream line;
  line << kAccount << ":x:" << identity.uid << ':' << identity.gid << ":Sallyport:" << home << ":/bin/sh\n";
  return text + line.str();
}

std::optional<std::string> group_with(Identity const& identity) {
  std::string text = read_file("/etc/group");
  if (has_id(text, identity.gid)) return std::nullopt;
  std::ostringstream line;
  line << kAccount << ":x:" << identity.gid << ":\n";
  return text + line.str();
}

}  // namespace sallyport::jail
