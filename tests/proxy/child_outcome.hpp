#pragma once
// One call in a child process of its own, so that what the child took from itself does not reach the test.

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace sallyport::tests {

inline constexpr int kNotPrepared = 255;

/// 0 when `call` succeeded (is not negative) in a child after `prepare` returned true; its errno when it failed;
/// kNotPrepared when `prepare` did not return true; -1 when the child did not exit by itself.
template <class Prepare, class Call>
int outcome_in_child(Prepare prepare, Call call) {
  pid_t const child = ::fork();
  if (child == 0) {
    if (!prepare()) ::_exit(kNotPrepared);
    ::_exit(call() < 0 ? errno : 0);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace sallyport::tests
