#include "policies/text_file.hpp"

#include "base/limits.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace sallyport::policies {

Result<std::string> read_text_file(std::string const& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) return Error{Code::invalid, 0, "is a directory, not a file"};
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error::os(errno, "cannot be read");
  std::string bytes;
  char block[4096];
  while (bytes.size() <= limits::kMaxPolicyFileBytes && (file.read(block, sizeof block) || file.gcount() > 0)) {
    bytes.append(block, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return Error::os(errno, "cannot be read");
  return bytes;
}

bool is_policy_file(std::string_view reference) {
  return reference.find('/') != std::string_view::npos || reference.ends_with(".yaml") || reference.ends_with(".yml");
}

}  // namespace sallyport::policies
