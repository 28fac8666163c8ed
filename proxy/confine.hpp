#pragma once
// Takes from this process what the gateway does not need, before it reads a byte from the network. Cannot be undone.
// Sources: capabilities(7), prctl(2), seccomp(2).

#include "base/result.hpp"

namespace sallyport::proxy {

/// no_new_privs; every capability gone, ambient and bounding too; not dumpable, no core file; then a seccomp filter that
/// refuses to execute, trace, change namespaces or mounts, load code into the kernel, open or create any file, or make a
/// socket that is not IPv4 or IPv6. A refused call fails with EPERM (ENOSYS where the C library has another way).
/// Thread: call it while there is only one. After an error the process has to end.
/// Does not yet: allow only a list of system calls, use Landlock, change the uid, or limit which addresses can be dialled.
Result<void> confine();

/// The last step alone (proxy/gateway_program). REQUIRES: no_new_privs.
Result<void> load_gateway_filter();

}  // namespace sallyport::proxy
