#pragma once
// Starts the jail's processes and waits until they are set up. Parent side; one thread (the caller must have no other).

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/plan.hpp"
#include "jail/step_error.hpp"

#include <signal.h>
#include <span>
#include <sys/types.h>

namespace sallyport::jail {

/// A started jail. The process is PID 1 of its PID namespace and a child of the caller.
struct Jail {
  pid_t pid;
  UniqueFd pidfd;
  UniqueFd report;  // SOCK_SEQPACKET; closing it ends the jail
};

struct LaunchOptions {
  int sockets_fd = -1;          // SOCK_SEQPACKET: the listening sockets go here, for receive_listening_sockets()
  sigset_t signal_mask{};       // for the command
  std::span<char> command_line; // argv's strings in memory, wiped in PID 1: the jail may read /proc/1/cmdline
  Step fail_at = Step::none;    // fault injection by tests
};

/// clone3. Returns at once; the child goes on by itself. A kernel that refuses user namespaces is an error that says how to allow them.
Result<Jail> launch(Plan const& plan, LaunchOptions const& options);

/// The failed step of a report in words.
Error setup_error(Report const& report, Plan const& plan);

/// What the jail hands to the supervisor once everything stands.
struct Handover {
  UniqueFd socket_diag;        // made in the jail's network namespace
  UniqueFd seccomp_listener;
};
/// Waits until the command's process waits for its start. A failed step is an error that names it; the jail is dead then.
Result<Handover> await_setup(Jail const& jail, Plan const& plan);

/// Lets the command execute.
Result<void> start_command(Jail const& jail);

/// Kills what is left of the jail and reaps it.
void destroy(Jail const& jail);

}  // namespace sallyport::jail
