#include "cli/sealed_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace sallyport::cli {

Result<UniqueFd> sealed_file(char const* name, std::string_view bytes) {
  auto file = UniqueFd::adopt(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), "memory file");
  if (!file) return file.error();
  while (!bytes.empty()) {
    ssize_t const written = ::write(file->get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Error::os(errno, "memory file");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (::fcntl(file->get(), F_ADD_SEALS, kSeals) < 0) return Error::os(errno, "sealing a memory file");
  return file;
}

}  // namespace sallyport::cli
