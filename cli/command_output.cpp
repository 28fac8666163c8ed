#include "cli/command_output.hpp"

#include "base/limits.hpp"
#include "base/wipe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace sallyport::cli {
namespace {

using std::chrono::steady_clock;

constexpr int kPollMilliseconds = 20;  // for a program that has closed its output and still runs

Result<pid_t> spawn(std::vector<std::string> const& argv, int output) {
  std::vector<char*> arguments;
  for (auto const& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);  // a supervisor blocks what it reads from a descriptor
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  int const failed = ::posix_spawn(&pid, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error::os(failed, "program " + argv.front());
  return pid;
}

}  // namespace

Result<RunningCommand> RunningCommand::start(std::vector<std::string> const& argv, std::size_t max_bytes) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) < 0) return Error::os(errno, "pipe");
  auto from_child = UniqueFd::adopt(pipe[0], "pipe");
  auto const to_parent = UniqueFd::adopt(pipe[1], "pipe");
  if (::fcntl(from_child->get(), F_SETFL, O_NONBLOCK) < 0) return Error::os(errno, "pipe");
  auto const pid = spawn(argv, to_parent->get());
  if (!pid) return pid.error();
  return RunningCommand(*pid, *std::move(from_child), argv.front(), max_bytes);
}

RunningCommand::RunningCommand(pid_t pid, UniqueFd output, std::string program, std::size_t max_bytes)
    : pid_(pid),
      output_(std::move(output)),
      program_(std::move(program)),
      max_bytes_(max_bytes),
      deadline_(steady_clock::now() + limits::kCredentialCommandTimeout) {}

RunningCommand::RunningCommand(RunningCommand&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::move(other.output_)),
      program_(std::move(other.program_)),
      max_bytes_(other.max_bytes_),
      deadline_(other.deadline_),
      text_(std::move(other.text_)) {}

RunningCommand::~RunningCommand() {
  wipe(text_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::optional<Result<std::string>> RunningCommand::poll() {
  if (auto done = read_all()) return done;
  if (steady_clock::now() > deadline_) return failure(Code::limit, "did not end in time");
  return std::nullopt;
}

std::optional<Result<std::string>> RunningCommand::read_all() {
  for (std::array<char, 4096> block;;) {
    auto const got = ::read(output_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return std::nullopt;
    if (got < 0) return Error::os(errno, "reading the output of " + program_);
    if (got == 0) return ended();
    text_.append(block.data(), static_cast<std::size_t>(got));
    if (text_.size() > max_bytes_) return failure(Code::limit, "prints more than a credential can be");
  }
}

std::optional<Result<std::string>> RunningCommand::ended() {
  int status = 0;
  auto const pid = ::waitpid(pid_, &status, WNOHANG);
  if (pid == 0 || (pid < 0 && errno == EINTR)) return std::nullopt;
  pid_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return failure(Code::invalid, "failed");
  return Result<std::string>(std::exchange(text_, {}));
}

Result<std::string> command_output(std::vector<std::string> const& argv, std::size_t max_bytes) {
  auto command = RunningCommand::start(argv, max_bytes);
  if (!command) return command.error();
  for (;;) {
    if (auto output = command->poll()) return *std::move(output);
    pollfd waiting{command->descriptor(), POLLIN, 0};
    bool const closed = ::poll(&waiting, 1, kPollMilliseconds) > 0 && (waiting.revents & POLLIN) == 0;
    if (closed) ::poll(nullptr, 0, 1);
  }
}

}  // namespace sallyport::cli
