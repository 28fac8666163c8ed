#include "audit/private_file.hpp"

#include "audit/files.hpp"
#include "base/defer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace sallyport::audit {

namespace {

Result<void> check_owner(int fd, std::string const& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return Error::os(errno, "fstat " + path);
  if (!S_ISREG(status.st_mode)) return Error{Code::invalid, 0, path + " is not a regular file"};
  if (status.st_uid != ::geteuid()) return Error{Code::invalid, 0, path + " belongs to another user"};
  if ((status.st_mode & 077) != 0) return Error{Code::invalid, 0, path + " is open to others: chmod 600 it"};
  return {};
}

/// Writes a complete, synced file under a name of its own.
Result<void> write_new_file(std::string const& path, std::string const& content) {
  auto fd =
      UniqueFd::adopt(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), "create " + path);
  if (!fd) return fd.error();
  if (auto written = write_all(fd->get(), content, path); !written) return written.error();
  if (::fsync(fd->get()) != 0) return Error::os(errno, "fsync " + path);
  return {};
}

Result<void> sync_dir(std::string const& dir) {
  auto fd = UniqueFd::adopt(::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open " + dir);
  if (!fd) return fd.error();
  if (::fsync(fd->get()) != 0) return Error::os(errno, "fsync " + dir);
  return {};
}

}  // namespace

Result<std::optional<std::string>> read_private_file(std::string const& path, std::size_t max_bytes) {
  int const opened = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
  if (opened < 0 && errno == ENOENT) return std::optional<std::string>();
  auto fd = UniqueFd::adopt(opened, "open " + path);
  if (!fd) return fd.error();
  if (auto owned = check_owner(fd->get(), path); !owned) return owned.error();
  auto content = read_all(fd->get(), max_bytes, path);
  if (!content) return content.error();
  return std::optional(*std::move(content));
}

Result<void> create_private_file(std::string const& dir, std::string const& name, std::string const& content) {
  if (auto made = make_private_dirs(dir); !made) return made.error();
  auto const suffix = random_hex(8);
  if (!suffix) return suffix.error();
  auto const path = dir + "/" + name;
  auto const temporary = path + "." + *suffix;
  Defer remove_temporary([&] { ::unlink(temporary.c_str()); });
  if (auto written = write_new_file(temporary, content); !written) return written.error();
  if (::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) return Error::os(errno, "link " + path);
  return sync_dir(dir);
}

}  // namespace sallyport::audit
