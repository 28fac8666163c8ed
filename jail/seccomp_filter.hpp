#pragma once
// The system calls a jailed command may not make, as a BPF program. Used when Sallyport is built: jail/seccomp_program has the result.
// Sources: seccomp(2), seccomp_unotify(2), Linux include/uapi.
//
// Allowed unless named. Refused with EPERM: new namespaces, mounts, other roots, kernel modules, bpf, perf, io_uring, userfaultfd,
// key rings, reading or writing another process's memory, clock and reboot calls, set-user-ID and set-group-ID files, pushing bytes
// into a terminal. clone3 and openat2 hide their flags behind a pointer: they fail with ENOSYS, and libraries fall back.
// Reported to the supervisor (user notification): execve, execveat, connect, and sendto with an address, which go on; sockets that are not TCP, UDP, Unix or
// route netlink, which fail there.
// Does not check paths or addresses: that is what the mounts and the network namespace are for.

#include "base/result.hpp"

#include <cstdint>
#include <vector>

namespace sallyport::jail {

/// In the order in which the kernel takes them.
Result<std::vector<std::uint64_t>> build_seccomp_filter();

}  // namespace sallyport::jail
