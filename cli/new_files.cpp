#include "cli/new_files.hpp"

#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kSuffix[] = ".sallyport-new";

bool is_same(fs::path const& path, std::string const& content) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == content;
}

/// Makes the folders between `folder` and the file.
Result<void> make_way(fs::path const& folder, fs::path const& relative) {
  fs::path at = folder;
  for (auto const& part : relative.parent_path()) {
    at /= part;
    std::error_code ec;
    auto const status = fs::symlink_status(at, ec);
    if (fs::is_directory(status)) continue;
    if (fs::exists(status)) return Error{Code::invalid, 0, at.string() + " is in the way: expected a folder, and not a symbolic link"};
    if (::mkdir(at.c_str(), 0755) < 0) return Error::os(errno, at.string());
  }
  return {};
}

Result<void> write_whole(fs::path const& path, NewFile const& file) {
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), path.string());
  if (!fd) return fd.error();
  for (std::size_t at = 0; at < file.content.size();) {
    ssize_t const put = ::write(fd->get(), file.content.data() + at, file.content.size() - at);
    if (put < 0 && errno != EINTR) return Error::os(errno, path.string());
    if (put > 0) at += static_cast<std::size_t>(put);
  }
  if (::fchmod(fd->get(), file.mode) < 0 || ::fsync(fd->get()) < 0) return Error::os(errno, path.string());
  return {};
}

/// The files beside their places; removes those that are left.
class Staged {
 public:
  explicit Staged(fs::path folder) : folder_(std::move(folder)) {}
  Staged(Staged const&) = delete;
  Staged& operator=(Staged const&) = delete;
  ~Staged() {
    for (auto const& path : paths_) ::unlink((path.string() + kSuffix).c_str());
  }

  Result<void> add(NewFile const& file) {
    if (auto made = make_way(folder_, file.path); !made) return made;
    auto const path = folder_ / file.path;
    ::unlink((path.string() + kSuffix).c_str());  // of a run that was killed
    paths_.push_back(path);
    return write_whole(path.string() + kSuffix, file);
  }

  Result<void> move(Existing existing) {
    for (auto const& path : paths_) {
      auto const from = path.string() + kSuffix;
      unsigned const flags = existing == Existing::replace ? 0 : RENAME_NOREPLACE;
      if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, path.c_str(), flags) == 0) continue;
      bool const is_there = errno == EEXIST && is_same(path, read(from));
      if (!is_there) return Error::os(errno, path.string());
    }
    return {};
  }

 private:
  static std::string read(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
  std::vector<fs::path> paths_;
};

}  // namespace

std::vector<std::string> files_in_the_way(fs::path const& folder, std::vector<NewFile> const& files) {
  std::vector<std::string> found;
  for (auto const& file : files) {
    std::error_code ec;
    auto const status = fs::symlink_status(folder / file.path, ec);
    bool const is_ours = fs::is_regular_file(status) && is_same(folder / file.path, file.content);
    if (fs::exists(status) && !is_ours) found.push_back(file.path);
  }
  return found;
}

Result<void> write_new_files(fs::path const& folder, std::vector<NewFile> const& files, Existing existing) {
  if (auto const found = files_in_the_way(folder, files); existing == Existing::keep && !found.empty()) {
    std::string names;
    for (auto const& name : found) names += (names.empty() ? "" : ", ") + name;
    return Error{Code::invalid, 0, "there already: " + names + "; nothing was written, --force replaces them"};
  }
  Staged staged(folder);
  for (auto const& file : files)
    if (auto added = staged.add(file); !added) return added;
  return staged.move(existing);
}

}  // namespace sallyport::cli
