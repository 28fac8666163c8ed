#pragma once
// A TLS connection as a plain socket, for what reads and writes sockets. Thread: its worker's.

#include "proxy/stream.hpp"
#include "proxy/task_set.hpp"

namespace sallyport::proxy {

/// A socket whose bytes go through `tls`, as one of `tasks` carries them: closing it closes `tls`, the end of one direction is passed on and
/// a reset ends both. Code::os when no socket pair can be made. Lifetime: `tasks` outlives the socket. REQUIRES: `tls` has shaken hands.
Result<Socket> bridge_tls(Stream tls, TaskSet& tasks, Executor executor);

}  // namespace sallyport::proxy
