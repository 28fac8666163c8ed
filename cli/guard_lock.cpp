#include "cli/guard_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sallyport::cli {

Result<std::optional<UniqueFd>> take_guard_lock(std::string const& path, std::string const& policy_digest) {
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), path);
  if (!fd) return fd.error();
  if (::flock(fd->get(), LOCK_EX | LOCK_NB) == 0) {
    bool const written = ::ftruncate(fd->get(), 0) == 0 &&
                         ::pwrite(fd->get(), policy_digest.data(), policy_digest.size(), 0) == static_cast<ssize_t>(policy_digest.size());
    if (!written) return Error::os(errno, path);
    return std::optional<UniqueFd>(*std::move(fd));
  }
  if (errno != EWOULDBLOCK) return Error::os(errno, path);
  std::array<char, 256> held{};
  ssize_t const got = ::pread(fd->get(), held.data(), held.size(), 0);
  if (got > 0 && std::string(held.data(), static_cast<std::size_t>(got)) == policy_digest) return std::optional<UniqueFd>();
  return Error{Code::denied, 0, "a guard with another policy runs in this container: end it first (the network stays closed meanwhile)"};
}

}  // namespace sallyport::cli
