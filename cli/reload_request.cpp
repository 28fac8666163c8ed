#include "cli/reload_request.hpp"

#include "base/unique_fd.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

namespace sallyport::cli {
namespace {

/// Whether the command line is "…sallyport proxy …": what it is that SIGHUP would end otherwise.
bool is_proxy(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  std::string const words((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto const program = words.substr(0, words.find('\0'));
  bool const is_ours = program == "sallyport" || program.ends_with("/sallyport");
  return is_ours && words.compare(program.size(), 7, std::string("\0proxy\0", 7)) == 0;
}

}  // namespace

Result<void> ask_for_reload(pid_t pid) {
  auto const name = "process " + std::to_string(pid);
  auto const process = UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), name);
  if (!process) return process.error();
  if (!is_proxy(pid))
    return Error{Code::invalid, 0,
                 name + " is not a 'sallyport proxy'; its process id is that of the command, not of its child"};
  if (::syscall(SYS_pidfd_send_signal, process->get(), SIGHUP, nullptr, 0) < 0) return Error::os(errno, "asking " + name);
  return {};
}

}  // namespace sallyport::cli
