#pragma once
// The gateway's seccomp filter: the system calls that confine() leaves it, as a table. Used when Sallyport is built:
// proxy/gateway_program has the result. Sources: seccomp(2), libseccomp.
//
// What is not in the table fails with EPERM (ENOSYS where the C library has another way), and a call of another architecture ends the
// process. There is no call that takes a path, makes a process, a program or executable memory, sends a signal, binds an address, listens, or
// makes a socket other than IPv4 and IPv6 stream and datagram sockets, and pairs whose two ends are its own.
// Does not see which address is dialled: that is behind a pointer.

#include "base/result.hpp"

#include <cstdint>
#include <vector>

namespace sallyport::proxy {

Result<std::vector<std::uint64_t>> build_gateway_filter();

}  // namespace sallyport::proxy
