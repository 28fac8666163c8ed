#pragma once
// OpenSSL's end of a non-blocking TCP socket, with bytes in front that were read from it before. Thread: its worker's.

#include "proxy/openssl_ptr.hpp"

#include <string>

namespace sallyport::proxy {

/// Reads `before` first, then the socket. Never raises SIGPIPE. Does not own `fd`, which outlives it.
BioPtr make_wire_bio(int fd, std::string before);

}  // namespace sallyport::proxy
