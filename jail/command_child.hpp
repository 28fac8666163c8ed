#pragma once
// The command's process between fork and exec. Async-signal-safe, allocates nothing.

#include "jail/child_input.hpp"

namespace sallyport::jail {

/// Gives up everything (inner user namespace, capabilities, new privileges, descriptors, system calls), waits for the parent's
/// start signal, and executes the command. Failures are reported as step and errno; exits with 125, or 126/127 for the exec.
[[noreturn]] void command_main(ChildInput& input) noexcept;

}  // namespace sallyport::jail
