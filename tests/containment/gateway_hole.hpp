#pragma once
// A deliberate hole: lets a test run any system call inside another process of its own, as code that has taken that process over
// could. A signal handler that forked children inherit does it, so nothing in the product knows of it.

#include <semaphore.h>
#include <sys/types.h>

#include <array>
#include <string>

namespace sallyport::tests {

struct Syscall {
  std::string name;
  long number = 0;
  std::array<long, 6> arguments{};
};

struct Answer {
  long result = -1;
  int error = 0;
};

/// For processes that are forked while it lives. One at a time in a test program. Any thread, one call at a time.
class GatewayHole {
 public:
  GatewayHole();
  ~GatewayHole();
  GatewayHole(GatewayHole const&) = delete;
  GatewayHole& operator=(GatewayHole const&) = delete;

  /// Runs `call` in process `pid`, on whichever thread takes the signal. Throws when no answer comes.
  Answer run(pid_t pid, Syscall const& call);
  /// Memory that both sides see at the same address: arguments that are pointers lie here.
  long memory() const;
  long put(std::string const& text);

 private:
  struct Shared;
  static void serve(int);
  static Shared* shared_;
  std::size_t used_ = 0;
};

}  // namespace sallyport::tests
