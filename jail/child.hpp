#pragma once
// The jail's processes between clone and exec. Trusts nothing but ChildInput. Async-signal-safe: allocates nothing, takes no lock.

#include "jail/child_input.hpp"

namespace sallyport::jail {

/// Life of PID 1 of the jail: sets up namespaces, network, root; forks the command; reaps until the command ends.
/// Every failure is reported over input.report_fd as step and errno, then the process exits with 125.
/// REQUIRES: runs in a new user and PID namespace, made by clone3.
[[noreturn]] void child_main(ChildInput& input) noexcept;

}  // namespace sallyport::jail
