#include "tests/support/udp_peer.hpp"

#include "tests/support/socket_address.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <array>

namespace sallyport::test {

UdpPeer::UdpPeer(std::string const& address)
    : socket_(bound_socket(SOCK_DGRAM, address)),
      stop_(UniqueFd::adopt(::eventfd(0, EFD_CLOEXEC), "eventfd").value()),
      port_(local_port(socket_.get())) {
  thread_ = std::thread([this] { serve(); });
}

UdpPeer::~UdpPeer() {
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void UdpPeer::serve() {
  std::array<pollfd, 2> waits{pollfd{socket_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
  while (::poll(waits.data(), waits.size(), -1) >= 0 && waits[1].revents == 0) {
    std::array<char, 2048> datagram;
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    auto* address = reinterpret_cast<sockaddr*>(&from);  // SAFETY: sockaddr_storage holds any address
    auto const n = ::recvfrom(socket_.get(), datagram.data(), datagram.size(), 0, address, &size);
    if (n < 0) continue;
    ++datagrams_;
    ::sendto(socket_.get(), datagram.data(), static_cast<std::size_t>(n), 0, address, size);
  }
}

}  // namespace sallyport::test
