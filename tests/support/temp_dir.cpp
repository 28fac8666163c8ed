#include "tests/support/temp_dir.hpp"

#include <stdlib.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace sallyport::test {

namespace fs = std::filesystem;

TempDir::TempDir() {
  auto name = (fs::temp_directory_path() / "sallyport-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
  fs::permissions(path_, fs::perms(0755));  // a jail that root starts runs as another user, and passes through here
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_file(fs::path const& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string read_file(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sallyport::test
