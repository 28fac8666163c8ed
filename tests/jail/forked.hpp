#pragma once
// Child processes of a test: what runs in other namespaces, under a filter, or as somebody else's target. REQUIRES: the
// test has one thread. Throws when the system refuses.

#include <sys/types.h>
#include <functional>

namespace sallyport::jail {

/// Runs `body` in a forked child; an expectation that fails there is a failure of the test.
void isolated(std::function<void()> const& body);
/// The same with capabilities over new user and network namespaces, as the jail's PID 1 has them.
void in_own_network(std::function<void()> const& body);

/// A forked child that runs `body` and exits with what it returns. Killed and reaped at the end of the scope.
class Child {
 public:
  explicit Child(std::function<int()> const& body);
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;
  ~Child();

  pid_t pid() const { return pid_; }
  void kill(int signal) const;
  /// Waits for its end; the status is as waitpid(2) gives it.
  int wait();
  /// Waits until it has ended, and leaves it to be reaped.
  void wait_for_zombie() const;

 private:
  pid_t pid_;
  bool reaped_ = false;
};

/// One side waits until the other opens. Made before the fork; both sides may use it once.
class Gate {
 public:
  Gate();
  Gate(Gate const&) = delete;
  Gate& operator=(Gate const&) = delete;
  ~Gate();

  void open() const;
  /// Also passes when every writer has executed another program or ended, and close_writer() was called.
  void pass() const;
  void close_writer();

 private:
  int read_fd_;
  int write_fd_;
};

/// Starts `path` with `argv` in `child`'s place: for the body of a Child. Returns 127 when that fails.
int execute(char const* path, char const* const* argv);

}  // namespace sallyport::jail
