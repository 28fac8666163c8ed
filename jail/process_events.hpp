#pragma once
// Forks, execs and exits of this machine's processes, as the kernel reports them after they happened. It holds no process back. One thread.
// Sources: linux/cn_proc.h, linux/connector.h, kernel Documentation/driver-api/connector.rst.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <optional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

struct ProcessEvent {
  enum class Kind { forked, executed, exited };
  Kind kind = Kind::forked;
  pid_t pid = 0;     // of a fork: the child
  pid_t parent = 0;  // of a fork
  int status = 0;    // of an exit, as wait(2) has it
  bool operator==(ProcessEvent const&) const = default;
};

/// Nothing for a message about threads or anything else, or one that is cut off.
std::optional<ProcessEvent> parse_process_event(std::span<std::byte const> datagram);

class ProcessEvents {
 public:
  /// Error where the kernel reports nothing to us: without its support or the right, or in a container.
  static Result<ProcessEvents> subscribe();

  /// Readable when there are events.
  int descriptor() const { return socket_.get(); }

  struct Batch {
    std::vector<ProcessEvent> events;  // in the order in which they happened
    bool lost = false;                 // more happened than the kernel kept for us
  };
  /// What has happened by now; does not wait.
  Result<Batch> read();

 private:
  explicit ProcessEvents(UniqueFd socket) : socket_(std::move(socket)) {}
  UniqueFd socket_;
};

}  // namespace sallyport::jail
