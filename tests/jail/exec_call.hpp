#pragma once
// execve(2) and execveat(2) as a notification describes them, with the memory of this process. A forked child has the same
// addresses, so that the same call can be read from it.

#include "jail/exec_request.hpp"

#include <sys/syscall.h>

#include <string>
#include <vector>

namespace sallyport::jail {

class ExecCall {
 public:
  ExecCall(std::string path, std::vector<std::string> argv) : path_(std::move(path)), strings_(std::move(argv)) {
    for (auto const& argument : strings_) argv_.push_back(argument.c_str());
    argv_.push_back(nullptr);
  }
  ExecCall(ExecCall const&) = delete;
  ExecCall& operator=(ExecCall const&) = delete;

  char const* path() const { return path_.c_str(); }
  char const* const* argv() const { return argv_.data(); }
  std::string& argument(std::size_t index) { return strings_[index]; }

  seccomp_notif execve_by(pid_t pid) const {
    auto out = by(pid, SYS_execve);
    out.data.args[0] = address(path());
    out.data.args[1] = address(argv());
    return out;
  }
  seccomp_notif execveat_by(pid_t pid, int directory_fd, int flags) const {
    auto out = by(pid, SYS_execveat);
    out.data.args[0] = static_cast<std::uint32_t>(directory_fd);
    out.data.args[1] = address(path());
    out.data.args[2] = address(argv());
    out.data.args[4] = static_cast<std::uint32_t>(flags);
    return out;
  }

 private:
  static seccomp_notif by(pid_t pid, long number) {
    seccomp_notif out{};
    out.pid = static_cast<std::uint32_t>(pid);
    out.data.nr = static_cast<int>(number);
    return out;
  }
  static std::uint64_t address(void const* place) { return reinterpret_cast<std::uint64_t>(place); }

  std::string path_;
  std::vector<std::string> strings_;
  std::vector<char const*> argv_;
};

}  // namespace sallyport::jail
