#pragma once
// What the child works from, prepared by the parent before the clone. The child reads it and allocates nothing.

#include "jail/plan.hpp"
#include "jail/step_error.hpp"

#include <cstddef>
#include <signal.h>
#include <vector>

namespace sallyport::jail {

struct ChildInput {
  Plan const& plan;
  int report_fd = -1;
  int sockets_fd = -1;              // where the listening sockets go: read by the gateway process
  sigset_t signal_mask{};           // the caller's, restored before the exec
  std::vector<char*> argv;          // null-terminated
  std::vector<char*> script_argv;   // "/bin/sh", a slot for the path, argv[1..], null: for a script without an interpreter line
  std::vector<char*> environment;   // null-terminated
  char uid_map[32] = {};            // "uid uid 1"
  char gid_map[32] = {};
  char* command_line = nullptr;     // the caller's argument strings in memory: PID 1 would show them to the jail
  std::size_t command_line_bytes = 0;
  Step fail_at = Step::none;        // fault injection: this step reports EIO instead of running
};

}  // namespace sallyport::jail
