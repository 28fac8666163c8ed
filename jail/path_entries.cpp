#include "jail/path_entries.hpp"

#include <algorithm>
#include <filesystem>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> split(std::string_view path) {
  std::vector<fs::path> out;
  while (!path.empty()) {
    auto const colon = std::min(path.find(':'), path.size());
    fs::path const entry = fs::path(path.substr(0, colon)).lexically_normal();
    if (colon > 0) out.push_back(entry.has_filename() ? entry : entry.parent_path());  // without a final slash
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return out;
}

bool is_below(fs::path const& path, fs::path const& home) {
  auto const relative = path.lexically_relative(home);
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

/// `entry` and its companions, as far as they exist.
std::vector<fs::path> with_companions(fs::path const& entry, fs::path const& home) {
  fs::path const parent = entry.parent_path();
  std::vector<fs::path> out{entry};
  if (parent == home) return out;
  if (entry.filename() == "shims") out.push_back(parent);
  if (entry.filename() == "bin")
    for (auto name : {"lib", "lib64", "libexec"}) out.push_back(parent / name);
  if (parent == home / ".cargo") out.push_back(home / ".rustup");
  return out;
}

}  // namespace

std::vector<std::string> visible_path_entries(std::string_view path, std::string_view home) {
  fs::path const home_path = fs::path(home).lexically_normal();
  std::vector<std::string> out;
  for (auto const& entry : split(path)) {
    std::error_code ec;
    if (!is_below(entry, home_path) || !fs::is_directory(entry, ec)) continue;
    for (auto const& directory : with_companions(entry, home_path))
      if (fs::is_directory(directory, ec)) out.push_back(directory.string());
  }
  std::ranges::sort(out);  // a directory comes before what is below it
  auto const repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

}  // namespace sallyport::jail
