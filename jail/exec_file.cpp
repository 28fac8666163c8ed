#include "jail/exec_file.hpp"

#include "base/limits.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace sallyport::jail {
namespace {

constexpr int kMaxInterpreters = 5;           // exec_binprm: a sixth script is ELOOP
constexpr std::size_t kFirstLineBytes = 255;  // BINPRM_BUF_SIZE - 1

/// A path of our own /proc for a descriptor we hold.
std::string own_path(UniqueFd const& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

std::string link_of(UniqueFd const& fd) {
  std::string out(limits::kMaxPathBytes, '\0');
  ssize_t const length = ::readlink(own_path(fd).c_str(), out.data(), out.size());
  out.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return out;
}

std::string read_first_line(UniqueFd const& path_fd) {
  auto file = UniqueFd::adopt(::open(own_path(path_fd).c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), "script");
  if (!file) return "";  // a program that may be executed but not read is no script
  char buffer[kFirstLineBytes];
  ssize_t const length = ::pread(file->get(), buffer, sizeof buffer, 0);
  std::string_view const text(buffer, length > 0 ? static_cast<std::size_t>(length) : 0);
  return text.starts_with("#!") ? std::string(text.substr(0, text.find('\n'))) : "";
}

Result<ExecFile> describe_file(Result<UniqueFd> fd) {
  if (!fd) return fd.error();
  struct stat info{};
  if (::fstat(fd->get(), &info) < 0) return Error::os(errno, "fstat");
  ExecFile out{link_of(*fd), {info.st_dev, info.st_ino}, ""};
  if (S_ISREG(info.st_mode)) out.first_line = read_first_line(*fd);
  return out;
}

Result<ExecFile> find_below_root(ProcDirectory const& process, std::string const& path) {
  auto root = process.root();
  if (!root) return root.error();
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT;
  long const fd = ::syscall(SYS_openat2, root->get(), path.c_str(), &how, sizeof how);
  return describe_file(UniqueFd::adopt(static_cast<int>(fd), path));
}

std::string trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

Result<ExecFile> find_exec_descriptor(ProcDirectory const& process, int fd) {
  return describe_file(process.open_path(("fd/" + std::to_string(fd)).c_str()));
}

Result<ExecFile> find_exec_file(ProcDirectory const& process, std::string const& path) {
  for (std::string_view self : {"/proc/self/", "/proc/thread-self/"})
    if (path.starts_with(self) && path.find("/..") == std::string::npos)
      return describe_file(process.open_path(path.c_str() + self.size()));
  if (path.starts_with('/')) return find_below_root(process, path);
  return find_below_root(process, process.cwd() + "/" + path);
}

Result<Expectation> expect(ProcDirectory const& process, ExecFile file, std::string const& path, std::vector<std::string> argv) {
  std::string asked = path;
  for (int depth = 0; !file.first_line.empty(); ++depth) {
    if (depth == kMaxInterpreters) return Error{Code::limit, ELOOP, "too many interpreters"};
    std::string const line = trimmed(std::string_view(file.first_line).substr(2));
    auto const gap = std::min(line.find_first_of(" \t"), line.size());
    std::string const interpreter = line.substr(0, gap);
    std::string const argument = trimmed(std::string_view(line).substr(gap));
    std::vector<std::string> in_front{interpreter};
    if (!argument.empty()) in_front.push_back(argument);
    in_front.push_back(asked);
    if (!argv.empty()) argv.erase(argv.begin());
    argv.insert(argv.begin(), in_front.begin(), in_front.end());
    auto next = find_exec_file(process, interpreter);
    if (!next) return next.error();
    file = *std::move(next);
    asked = interpreter;
  }
  return Expectation{file.id, std::move(argv)};
}

}  // namespace sallyport::jail
