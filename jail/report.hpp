#pragma once
// Sending over the report socket (SOCK_SEQPACKET), with descriptors. Async-signal-safe; returns 0 or an errno.

#include "jail/step_error.hpp"

namespace sallyport::jail {

int send_report(int socket_fd, Report const& report) noexcept;
/// At most socket_order::count descriptors, by SCM_RIGHTS.
int send_report_with_fds(int socket_fd, Report const& report, int const* fds, unsigned count) noexcept;

}  // namespace sallyport::jail
