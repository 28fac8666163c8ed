#pragma once
// Takes from this process what the gateway does not need, before it reads a byte from the network. Cannot be undone.
// Sources: capabilities(7), prctl(2), landlock(7), seccomp(2).

#include "base/result.hpp"

namespace sallyport::proxy {

/// no_new_privs; every capability gone, ambient and bounding too; not dumpable, no core file; no files (proxy/landlock, where the kernel
/// has it); then a seccomp filter that leaves a list of system calls (proxy/gateway_filter).
/// Thread: of the calling one alone, and of those it starts later; each has to call it before any reads a byte. A second call fails. After an
/// error the process has to end.
/// Does not change the uid, or limit which addresses can be dialled.
Result<void> confine();

/// The last step alone (proxy/gateway_program). REQUIRES: no_new_privs.
Result<void> load_gateway_filter();

}  // namespace sallyport::proxy
