#include "jail/exec_request.hpp"

#include "base/limits.hpp"
#include "jail/exec_file.hpp"
#include "jail/process_memory.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sallyport::jail {
namespace {

constexpr std::size_t kMaxArguments = 16 * 1024;

/// Null-terminated array of pointers to strings.
void read_argv(ProcessMemory const& memory, std::uint64_t address, ExecRequest& out) {
  std::size_t bytes = 0;
  std::array<std::uint64_t, 64> block{};
  for (std::size_t read = 0; address != 0 && read < kMaxArguments; read += block.size()) {
    std::size_t const got = memory.read(address + read * sizeof(std::uint64_t), block.data(), sizeof block) / sizeof(std::uint64_t);
    for (std::size_t i = 0; i < got; ++i) {
      if (block[i] == 0) return;
      if (bytes >= limits::kMaxArgvBytes) break;
      out.argv.push_back(memory.string(block[i], limits::kMaxArgvBytes - bytes));
      bytes += out.argv.back().size() + 1;
      if (bytes > limits::kMaxArgvBytes) out.argv_cut = true;
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

/// Paths through /proc or /dev/fd mean something else inside than from outside: nothing is concluded from them.
bool is_missing(Error const& error, std::string const& path) {
  if (path.find("/proc") != std::string::npos || path.find("/dev/") != std::string::npos) return false;
  return error.os_errno == ENOENT || error.os_errno == ENOTDIR || error.os_errno == EACCES;
}

}  // namespace

Result<ExecRequest> read_exec_request(seccomp_notif const& notification, ProcDirectory const& process) {
  bool const at = notification.data.nr == SYS_execveat;
  auto const* arguments = notification.data.args;
  ProcessMemory const memory(static_cast<pid_t>(notification.pid));
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
  out.missing = !file && is_missing(file.error(), out.path);
  if (!file) return out;
  if (auto expected = expect(process, *std::move(file), asked, out.argv)) out.expected = *std::move(expected);
  return out;
}

}  // namespace sallyport::jail
