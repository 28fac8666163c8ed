#include "tests/support/pty_process.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <array>
#include <csignal>
#include <utility>

namespace sallyport::test {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (auto& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

/// Terminal and child. Everything the child needs is made before the fork.
std::pair<UniqueFd, pid_t> start(Command& command) {
  auto argv = pointers(command.argv);
  auto environment = command.environment.value_or(std::vector<std::string>{});
  auto const variables = pointers(environment);
  int terminal = -1;
  winsize const size{24, 80, 0, 0};
  pid_t const pid = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    if (command.directory.empty() || ::chdir(command.directory.c_str()) == 0)
      ::execve(argv[0], argv.data(), variables.data());
    ::_exit(127);
  }
  return {UniqueFd::adopt(terminal, "forkpty").value(), pid};
}

std::chrono::milliseconds until(Clock::time_point deadline) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
}

}  // namespace

PtyProcess::PtyProcess(Command command) : PtyProcess(start(command)) {}

PtyProcess::PtyProcess(std::pair<UniqueFd, pid_t> started) : terminal_(std::move(started.first)), pid_(started.second) {}

PtyProcess::~PtyProcess() {
  if (!reaped_) wait(0ms);
}

void PtyProcess::type(std::string_view keys) const {
  if (::write(terminal_.get(), keys.data(), keys.size()) < 0) throw std::runtime_error("nobody reads the terminal");
}

void PtyProcess::resize(unsigned short rows, unsigned short columns) const {
  winsize const size{rows, columns, 0, 0};
  ::ioctl(terminal_.get(), TIOCSWINSZ, &size);
}

bool PtyProcess::read_more(std::chrono::milliseconds longest) {
  pollfd wait{terminal_.get(), POLLIN, 0};
  if (longest <= 0ms || ::poll(&wait, 1, static_cast<int>(longest.count())) <= 0) return false;
  std::array<char, 4096> block;
  auto const n = ::read(terminal_.get(), block.data(), block.size());  // EIO: the last holder of the other side is gone
  if (n > 0) screen_.append(block.data(), static_cast<std::size_t>(n));
  return n > 0;
}

bool PtyProcess::wait_for(std::string_view text, std::chrono::milliseconds timeout) {
  auto const deadline = Clock::now() + timeout;
  while (screen_.find(text) == std::string::npos) {
    if (!read_more(until(deadline))) return false;
  }
  return true;
}

int PtyProcess::wait(std::chrono::milliseconds timeout) {
  auto const deadline = Clock::now() + timeout;
  while (read_more(until(deadline))) {}
  if (until(deadline) <= 0ms) ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  reaped_ = true;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace sallyport::test
