#include "cli/background.hpp"

#include "base/unique_fd.hpp"
#include "cli/exit_status.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sallyport::cli {
namespace {

/// Standard input, output and error lead nowhere: the caller may wait until nobody holds its pipes.
void let_go(std::FILE* err) {
  int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, ::fileno(err)})
    if (null >= 0) ::dup3(null, fd, fd > STDERR_FILENO ? O_CLOEXEC : 0);
  if (null > STDERR_FILENO) ::close(null);
}

[[noreturn]] void child_main(Console console, int errors, int released, BackgroundBody const& body) {
  ::setsid();
  console.err = ::fdopen(errors, "w");
  if (console.err == nullptr) ::_exit(kNotSetUp);
  ::setvbuf(console.err, nullptr, _IOLBF, BUFSIZ);
  auto const release = [&] {
    std::fflush(console.out);
    std::fflush(console.err);
    static_cast<void>(::write(released, "r", 1) == 1);
    ::close(released);
    let_go(console.err);
  };
  int const status = body(console, release);
  std::fflush(console.err);
  ::_exit(status);
}

/// Everything until no writer is left.
std::string read_all(int fd) {
  std::string out;
  std::array<char, 4096> buffer;
  for (;;) {
    ssize_t const got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

int in_background(Console const& console, BackgroundBody const& body) {
  std::array<int, 2> errors{}, released{};
  if (::pipe2(errors.data(), O_CLOEXEC) < 0 || ::pipe2(released.data(), O_CLOEXEC) < 0) {
    std::fprintf(console.err, "sallyport: pipe: %s\n", std::strerror(errno));
    return kNotSetUp;
  }
  std::fflush(console.out);
  std::fflush(console.err);
  pid_t const pid = ::fork();
  if (pid < 0) {
    std::fprintf(console.err, "sallyport: fork: %s\n", std::strerror(errno));
    return kNotSetUp;
  }
  if (pid == 0) child_main(console, errors[1], released[1], body);
  ::close(errors[1]);
  ::close(released[1]);
  auto const said = read_all(errors[0]);
  bool const stands = !read_all(released[0]).empty();
  std::fwrite(said.data(), 1, said.size(), console.err);
  std::fflush(console.err);
  int status = 0;
  if (stands) return 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : kNotSetUp;
}

}  // namespace sallyport::cli
