#include "proxy/memory_file.hpp"

#include <unistd.h>

#include <cerrno>

namespace sallyport::proxy {

Result<std::string> read_memory_file(UniqueFd const& file, std::size_t most) {
  off_t const size = ::lseek(file.get(), 0, SEEK_END);  // a confined process may not ask for more of a file's facts
  if (size < 0) return Error::os(errno, "memory file");
  if (static_cast<std::size_t>(size) > most) return Error{Code::limit, 0, "it is too large to be handed to the gateway"};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t const got = ::pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error::os(errno, "memory file");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace sallyport::proxy
