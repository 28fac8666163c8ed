#include "audit/key_file.hpp"

#include "audit/files.hpp"
#include "base/defer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace sallyport::audit {

namespace {

constexpr std::size_t kMaxKeyFileBytes = 4096;

std::string path_in(std::string const& dir) { return dir + "/audit.key"; }

/// A key file is ours alone, or its signatures say nothing about us.
Result<void> check_owner(int fd, std::string const& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return Error::os(errno, "fstat " + path);
  if (!S_ISREG(status.st_mode)) return Error{Code::invalid, 0, path + " is not a regular file"};
  if (status.st_uid != ::geteuid()) return Error{Code::invalid, 0, path + " belongs to another user"};
  if ((status.st_mode & 077) != 0) return Error{Code::invalid, 0, path + " is open to others: chmod 600 it"};
  return {};
}

Result<KeyFile> parse(std::string const& content, std::string const& path) {
  auto const line_end = content.find('\n');
  if (!content.starts_with("ed25519:") || line_end == std::string::npos) {
    return Error{Code::invalid, 0, path + " is not an audit key: move it away and a new one is made"};
  }
  return KeyFile{content.substr(0, line_end), content.substr(line_end + 1)};
}

Result<std::optional<KeyFile>> load(std::string const& path) {
  int const opened = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
  if (opened < 0 && errno == ENOENT) return std::optional<KeyFile>();
  auto fd = UniqueFd::adopt(opened, "open " + path);
  if (!fd) return fd.error();
  if (auto owned = check_owner(fd->get(), path); !owned) return owned.error();
  auto content = read_all(fd->get(), kMaxKeyFileBytes, path);
  if (!content) return content.error();
  auto parsed = parse(*content, path);
  if (!parsed) return parsed.error();
  return std::optional(std::move(*parsed));
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

/// Puts a new key at `path`, whole or not at all. Another session may have been faster: then its key stays.
Result<void> create(std::string const& dir, std::string const& path) {
  auto key = SigningKey::generate();
  if (!key) return key.error();
  auto const public_text = key->public_text();
  auto const suffix = random_hex(8);
  if (!suffix) return suffix.error();

  auto const temporary = path + "." + *suffix;
  Defer remove_temporary([&] { ::unlink(temporary.c_str()); });
  if (auto written = write_new_file(temporary, public_text + "\n" + key->to_pem()); !written) return written.error();
  if (::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) return Error::os(errno, "link " + path);
  return sync_dir(dir);
}

}  // namespace

Result<SigningKey> KeyFile::signing_key() const {
  auto key = SigningKey::from_pem(pem);
  if (!key) return key.error();
  if (key->public_text() != public_text) return Error{Code::invalid, 0, "audit.key: the private key is not that of its first line"};
  return std::move(*key);
}

Result<KeyFile> load_or_create_key(std::string const& dir) {
  auto const path = path_in(dir);
  auto found = load(path);
  if (!found) return found.error();
  if (!*found) {
    if (auto made = make_private_dirs(dir); !made) return made.error();
    if (auto created = create(dir, path); !created) return created.error();
    found = load(path);
    if (!found) return found.error();
  }
  if (!*found) return Error{Code::closed, 0, path + " was removed while a session started"};
  return std::move(**found);
}

Result<std::optional<std::string>> public_key_in(std::string const& dir) {
  auto found = load(path_in(dir));
  if (!found) return found.error();
  if (!*found) return std::optional<std::string>();
  return std::optional((*found)->public_text);
}

}  // namespace sallyport::audit
