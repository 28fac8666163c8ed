#pragma once
// Sockets that were made elsewhere -> Asio objects.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace sallyport::proxy {

/// `socket` is a listening TCP or Unix stream socket. Asio treats a Unix one as TCP: its addresses are not to be asked for.
Result<Acceptor> adopt_acceptor(asio::io_context& io, UniqueFd socket);
/// `socket` is a bound UDP socket.
Result<UdpSocket> adopt_udp(asio::io_context& io, UniqueFd socket);

}  // namespace sallyport::proxy
