#pragma once
// A directory of its own for one test, removed with everything in it at the end of the scope. Throws when the disk does not
// work. One thread.

#include <filesystem>
#include <string>
#include <string_view>

namespace sallyport::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(TempDir const&) = delete;
  TempDir& operator=(TempDir const&) = delete;

  std::filesystem::path const& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_file(std::filesystem::path const& path, std::string_view content);
/// Everything in the file; throws when it cannot be read.
std::string read_file(std::filesystem::path const& path);

}  // namespace sallyport::test
