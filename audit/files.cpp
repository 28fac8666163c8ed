#include "audit/files.hpp"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <filesystem>

namespace sallyport::audit {

Result<void> make_private_dirs(std::string const& dir) {
  if (dir.empty() || ::mkdir(dir.c_str(), 0700) == 0 || errno == EEXIST) return {};
  if (errno != ENOENT) return Error::os(errno, "mkdir " + dir);
  auto const parent = std::filesystem::path(dir).parent_path().string();
  if (parent == dir) return Error::os(ENOENT, "mkdir " + dir);
  if (auto made = make_private_dirs(parent); !made) return made.error();
  if (::mkdir(dir.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return Error::os(errno, "mkdir " + dir);
}

Result<void> write_all(int fd, std::string_view bytes, std::string_view what) {
  while (!bytes.empty()) {
    auto const written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Error::os(errno, "write " + std::string(what));
    if (written == 0) return Error::os(EIO, "write " + std::string(what));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::string> read_all(int fd, std::size_t max_bytes, std::string_view what) {
  std::string content(max_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    auto const got = ::read(fd, content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error::os(errno, "read " + std::string(what));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > max_bytes) return Error{Code::limit, 0, std::string(what) + " is too long"};
  content.resize(size);
  return content;
}

Result<std::string> random_hex(std::size_t bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string raw(bytes, '\0');
  if (::getrandom(raw.data(), raw.size(), 0) != static_cast<ssize_t>(raw.size())) return Error::os(errno, "getrandom");
  std::string text;
  for (char byte : raw) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 0xf];
  }
  return text;
}

}  // namespace sallyport::audit
