#pragma once
// Writes several files below one folder, all of them or, as far as a file system can promise it, none: each is written beside its place
// first, and moved there when all are. The folder may be hostile: a symbolic link on the way is an error, never followed.
// REQUIRES: one thread.

#include "base/result.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sallyport::cli {

struct NewFile {
  std::string path;  // relative to the folder, without "..": .devcontainer/policy.yaml
  std::string content;
  mode_t mode = 0644;
};

enum class Existing {
  keep,  // one of the files is there already, with another content: an error that names all such
  replace,
};

/// Those of `files` that are there with another content, or are no files.
std::vector<std::string> files_in_the_way(std::filesystem::path const& folder, std::vector<NewFile> const& files);

Result<void> write_new_files(std::filesystem::path const& folder, std::vector<NewFile> const& files, Existing existing);

}  // namespace sallyport::cli
