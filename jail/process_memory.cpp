#include "jail/process_memory.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace sallyport::jail {
namespace {
constexpr std::size_t kPageBytes = 4096;
}

std::size_t ProcessMemory::read(std::uint64_t address, void* out, std::size_t size) const {
  iovec local{out, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  ssize_t const got = ::process_vm_readv(pid_, &local, 1, &remote, 1, 0);
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

/// Never crosses a page in one go: the next one may not be there.
std::string ProcessMemory::string(std::uint64_t address, std::size_t limit) const {
  std::string out;
  std::array<char, kPageBytes> page{};
  while (out.size() < limit) {
    std::size_t const in_page = std::min(kPageBytes - address % kPageBytes, limit - out.size());
    std::size_t const got = read(address, page.data(), in_page);
    std::string_view const text(page.data(), got);
    auto const end = text.find('\0');
    out.append(text.substr(0, end));
    if (end != std::string_view::npos || got < in_page) break;
    address += got;
  }
  return out;
}

}  // namespace sallyport::jail
