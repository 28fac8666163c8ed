#include "jail/exec_request.hpp"

#include "base/limits.hpp"
#include "jail/exec_file.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace sallyport::jail {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kMaxArguments = 16 * 1024;

/// Reads the memory of one process. Never crosses a page in one go: the next one may not be there.
class Memory {
 public:
  explicit Memory(pid_t pid) : pid_(pid) {}

  /// As much of [address, address + size) as is readable.
  std::size_t read(std::uint64_t address, void* out, std::size_t size) const {
    iovec local{out, size};
    iovec remote{reinterpret_cast<void*>(address), size};
    ssize_t const got = ::process_vm_readv(pid_, &local, 1, &remote, 1, 0);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  /// A null-terminated string of at most `limit` bytes.
  std::string string(std::uint64_t address, std::size_t limit) const {
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

 private:
  pid_t pid_;
};

/// Null-terminated array of pointers to strings.
void read_argv(Memory const& memory, std::uint64_t address, ExecRequest& out) {
  std::size_t bytes = 0;
  std::array<std::uint64_t, 64> block{};
  for (std::size_t read = 0; address != 0 && read < kMaxArguments; read += block.size()) {
    std::size_t const got = memory.read(address + read * sizeof(std::uint64_t), block.data(), sizeof block) / sizeof(std::uint64_t);
    for (std::size_t i = 0; i < got; ++i) {
      if (block[i] == 0) return;
      if (bytes >= limits::kMaxArgvBytes) break;
      out.argv.push_back(memory.string(block[i], limits::kMaxArgvBytes - bytes));
      bytes += out.argv.back().size() + 1;
    }
    if (got < block.size() || bytes >= limits::kMaxArgvBytes) break;
  }
  out.argv_cut = address != 0;
}

/// The same file by another way: a descriptor, or a path from a descriptor (execveat).
Result<ExecFile> find_at(ProcDirectory const& process, int directory_fd, std::string const& path) {
  if (path.empty()) return find_exec_descriptor(process, directory_fd);
  if (path.starts_with('/') || directory_fd == AT_FDCWD) return find_exec_file(process, path);
  auto const directory = find_exec_descriptor(process, directory_fd);
  if (!directory) return directory.error();
  return find_exec_file(process, directory->path + "/" + path);
}

}  // namespace

Result<ExecRequest> read_exec_request(seccomp_notif const& notification, ProcDirectory const& process) {
  bool const at = notification.data.nr == SYS_execveat;
  auto const* arguments = notification.data.args;
  Memory const memory(static_cast<pid_t>(notification.pid));
  ExecRequest out;
  out.path = memory.string(arguments[at ? 1 : 0], limits::kMaxPathBytes);
  read_argv(memory, arguments[at ? 2 : 1], out);
  out.cwd = process.cwd();
  int const directory_fd = at ? static_cast<int>(arguments[0]) : AT_FDCWD;
  std::string const asked = !at || directory_fd == AT_FDCWD || out.path.starts_with('/')
                                ? out.path
                                : "/dev/fd/" + std::to_string(directory_fd) + (out.path.empty() ? "" : "/" + out.path);
  auto file = find_at(process, directory_fd, out.path);
  out.exe = file ? file->path : out.path;
  if (!file) return out;
  if (auto expected = expect(process, *std::move(file), asked, out.argv)) out.expected = *std::move(expected);
  return out;
}

}  // namespace sallyport::jail
