#include "tests/support/run_command.hpp"

#include "base/defer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <system_error>
#include <utility>

namespace sallyport::test {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(int error, std::string const& what) {
  throw std::system_error(error, std::generic_category(), what);
}

std::pair<UniqueFd, UniqueFd> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe2");
  return {UniqueFd::adopt(ends[0], "pipe").value(), UniqueFd::adopt(ends[1], "pipe").value()};
}

std::vector<char*> pointers(std::vector<std::string> const& strings) {
  std::vector<char*> result;
  for (auto const& s : strings) result.push_back(const_cast<char*>(s.c_str()));  // SAFETY: exec does not write to them
  result.push_back(nullptr);
  return result;
}

pid_t spawn(Command const& command, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  Defer destroy([&] { ::posix_spawn_file_actions_destroy(&actions); });
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  if (!command.directory.empty()) ::posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());

  auto argv = pointers(command.argv);
  auto const variables = command.environment.value_or(std::vector<std::string>{});
  auto environment = pointers(variables);
  pid_t pid = -1;
  int error =
      ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), command.environment ? environment.data() : environ);
  if (error != 0) fail(error, command.argv[0]);
  return pid;
}

/// Appends what is there; resets the descriptor at the end of the pipe.
void read_some(std::optional<UniqueFd>& from, std::string& to) {
  std::array<char, 64 * 1024> block;
  auto n = ::read(from->get(), block.data(), block.size());
  if (n > 0) to.append(block.data(), static_cast<std::size_t>(n));
  if (n == 0) from.reset();
}

}  // namespace

Process::Process(Command command) : command_(std::move(command)), started_(Clock::now()) {
  ::signal(SIGPIPE, SIG_IGN);  // a child that does not read its stdin is no error
  auto [child_in, in] = make_pipe();
  auto [out, child_out] = make_pipe();
  auto [err, child_err] = make_pipe();
  pid_ = spawn(command_, child_in.get(), child_out.get(), child_err.get());
  ::fcntl(in.get(), F_SETFL, O_NONBLOCK);
  in_ = std::move(in);
  out_ = std::move(out);
  err_ = std::move(err);
}

Process::~Process() {
  if (reaped_) return;
  send_signal(SIGKILL);
  reap();
}

void Process::send_signal(int number) const { ::kill(pid_, number); }

void Process::reap() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  reaped_ = true;
  outcome_.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Process::feed_input() {
  std::string_view rest = std::string_view(command_.input).substr(fed_);
  auto n = rest.empty() ? 0 : ::write(in_->get(), rest.data(), rest.size());
  if (n > 0) fed_ += static_cast<std::size_t>(n);
  bool const broken = n < 0 && errno != EAGAIN;
  bool const done = fed_ == command_.input.size() && command_.after_input == AfterInput::close;
  if (broken || done) in_.reset();
}

void Process::pump_once(std::chrono::milliseconds longest) {
  bool const feeding = in_ && (fed_ < command_.input.size() || command_.after_input == AfterInput::close);
  std::array<pollfd, 3> fds{pollfd{feeding ? in_->get() : -1, POLLOUT, 0}, pollfd{out_ ? out_->get() : -1, POLLIN, 0},
                            pollfd{err_ ? err_->get() : -1, POLLIN, 0}};
  ::poll(fds.data(), fds.size(), static_cast<int>(std::max<std::int64_t>(0, longest.count())));
  if (fds[0].revents != 0) feed_input();
  if (fds[1].revents != 0) read_some(out_, outcome_.out);
  if (fds[2].revents != 0) read_some(err_, outcome_.err);
}

bool Process::wait_for_output(std::string_view text, std::chrono::milliseconds timeout) {
  auto const deadline = Clock::now() + timeout;
  while (outcome_.out.find(text) == std::string::npos) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (!out_ || left <= 0ms) return false;
    pump_once(left);
  }
  return true;
}

Outcome Process::wait() {
  while (pipes_open()) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(started_ + command_.timeout - Clock::now());
    if (left <= 0ms) {
      outcome_.timed_out = true;
      send_signal(SIGKILL);
      break;
    }
    pump_once(left);
  }
  reap();
  outcome_.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
  return std::move(outcome_);
}

Outcome run_command(Command command) { return Process(std::move(command)).wait(); }

}  // namespace sallyport::test
