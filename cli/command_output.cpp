#include "cli/command_output.hpp"

#include "base/limits.hpp"
#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace sallyport::cli {
namespace {

using std::chrono::steady_clock;

/// A child that is gone, one way or another, when this goes.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  /// Waits for its end: its wait status.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
};

Result<pid_t> spawn(std::vector<std::string> const& argv, int output) {
  std::vector<char*> arguments;
  for (auto const& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t pid = -1;
  int const failed = ::posix_spawn(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error::os(failed, "program " + argv.front());
  return pid;
}

Result<std::string> read_all(int fd, std::size_t max_bytes, steady_clock::time_point deadline) {
  std::string text;
  for (std::array<char, 4096> block;;) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    pollfd waiting{fd, POLLIN, 0};
    int const ready = left.count() > 0 ? ::poll(&waiting, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Error{Code::limit, 0, "did not end in time"};
    auto const got = ::read(fd, block.data(), block.size());
    if (got < 0) return Error::os(errno, "reading its output");
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
    if (text.size() > max_bytes) return Error{Code::limit, 0, "prints more than a credential can be"};
  }
}

}  // namespace

Result<std::string> command_output(std::vector<std::string> const& argv, std::size_t max_bytes) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) < 0) return Error::os(errno, "pipe");
  auto const from_child = UniqueFd::adopt(pipe[0], "pipe");
  auto to_parent = UniqueFd::adopt(pipe[1], "pipe");
  auto const pid = spawn(argv, to_parent->get());
  if (!pid) return pid.error();
  Child child(*pid);
  { auto const closed = *std::move(to_parent); }
  auto text = read_all(from_child->get(), max_bytes, steady_clock::now() + limits::kCredentialCommandTimeout);
  if (!text) return Error{text.error().code, 0, "program " + argv.front() + " " + text.error().what};
  int const status = child.wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{Code::invalid, 0, "program " + argv.front() + " failed"};
  return text;
}

}  // namespace sallyport::cli
