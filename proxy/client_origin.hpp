#pragma once
// Where an accepted connection comes from, and by which listener. Asks the kernel; any thread.
// Sources: getpeername(2), getsockname(2), unix(7) SO_PEERCRED.

#include "audit/event.hpp"
#include "policies/address_class.hpp"

#include <optional>

namespace sallyport::proxy {

struct ClientOrigin {
  /// The client's address and port, and the listener's. Of a Unix socket: protocol "unix", "uid N" and the listener's path.
  audit::Flow flow;
  std::optional<policies::IpAddress> address;  // absent for a Unix socket
};

/// Nothing when the client is gone already.
std::optional<ClientOrigin> client_origin(int socket);

}  // namespace sallyport::proxy
