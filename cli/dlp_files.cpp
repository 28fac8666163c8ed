#include "cli/dlp_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;

/// fnmatch(3) with "**" for any number of directories, as gitignore(5) has it at the start, in the middle, and at the end.
bool matches(std::string const& glob, std::string const& path) {
  auto stars = glob.find("**");
  if (stars == std::string::npos) return ::fnmatch(glob.c_str(), path.c_str(), FNM_PATHNAME) == 0;
  auto before = glob.substr(0, stars);
  auto behind = glob.substr(stars + 2);
  if (behind.starts_with('/') && matches(before + behind.substr(1), path)) return true;
  return ::fnmatch((before + "*" + behind).c_str(), path.c_str(), 0) == 0;
}

struct Directory {
  fs::path path;
  IgnoreList ignore;
};

class Walk {
 public:
  Walk(Ignored ignored, std::function<void(std::string const&)> const& visit) : ignored_(ignored), visit_(visit) {}

  void directory(fs::path const& path) {
    std::ostringstream text;
    text << std::ifstream(path / ".gitignore").rdbuf();
    above_.push_back({path, IgnoreList(text.str())});
    std::error_code error;
    std::vector<fs::directory_entry> entries(fs::directory_iterator(path, error), {});
    std::sort(entries.begin(), entries.end());
    for (auto const& entry : entries) visit(entry);
    above_.pop_back();
  }

 private:
  void visit(fs::directory_entry const& entry) {
    std::error_code error;
    if (entry.is_symlink(error) || entry.path().filename() == ".git") return;
    bool is_directory = entry.is_directory(error);
    if (is_ignored(entry.path(), is_directory ? IgnoreList::Entry::directory : IgnoreList::Entry::file)) return;
    if (is_directory)
      directory(entry.path());
    else if (entry.is_regular_file(error))
      visit_(entry.path().string());
  }

  /// The nearest file that says something decides.
  bool is_ignored(fs::path const& path, IgnoreList::Entry entry) const {
    if (ignored_ == Ignored::visit) return false;
    for (auto it = above_.rbegin(); it != above_.rend(); ++it) {
      auto answer = it->ignore.ask(path.lexically_relative(it->path).string(), entry);
      if (answer != IgnoreList::Answer::silent) return answer == IgnoreList::Answer::ignored;
    }
    return false;
  }

  Ignored ignored_;
  std::function<void(std::string const&)> const& visit_;
  std::vector<Directory> above_;
};

}  // namespace

IgnoreList::IgnoreList(std::string_view text) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    while (line.ends_with(' ') || line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with('#')) continue;
    Pattern pattern;
    pattern.negated = line.starts_with('!');
    if (pattern.negated || line.starts_with("\\#") || line.starts_with("\\!")) line.erase(0, 1);
    pattern.directories_only = line.ends_with('/');
    if (pattern.directories_only) line.pop_back();
    pattern.anchored = line.find('/') != std::string::npos;
    pattern.glob = line.starts_with('/') ? line.substr(1) : line;
    patterns_.push_back(std::move(pattern));
  }
}

IgnoreList::Answer IgnoreList::ask(std::string const& path, Entry entry) const {
  auto name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (auto it = patterns_.rbegin(); it != patterns_.rend(); ++it) {
    if (it->directories_only && entry != Entry::directory) continue;
    if (matches(it->glob, it->anchored ? path : name)) return it->negated ? Answer::kept : Answer::ignored;
  }
  return Answer::silent;
}

Result<void> for_each_file(std::string const& path, Ignored ignored, std::function<void(std::string const&)> const& visit) {
  std::error_code error;
  auto status = fs::status(path, error);
  if (error || !fs::exists(status)) return Error::os(ENOENT, "cannot read " + path);
  if (fs::is_directory(status))
    Walk(ignored, visit).directory(path);
  else
    visit(path);
  return {};
}

}  // namespace sallyport::cli
