#pragma once
// Sockets of test servers. Throws when the system refuses. Any thread.

#include "base/unique_fd.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sallyport::test {

/// A socket bound to `address` (IPv4 or IPv6 text) and a free port, close-on-exec.
UniqueFd bound_socket(int type, std::string const& address);
std::uint16_t local_port(int socket);

/// An IPv4 address of this host that is not loopback, if it has one: a service there is what a jail must not reach either.
std::optional<std::string> host_address();

}  // namespace sallyport::test
