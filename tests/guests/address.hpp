#pragma once
// Addresses and waiting for the guests that open sockets.

#include "tests/guests/guest.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace sallyport::guests {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  int family = AF_UNSPEC;
  sockaddr const* get() const { return reinterpret_cast<sockaddr const*>(&storage); }
};

/// From IPv4 or IPv6 text; exits with the usage status on anything else.
inline Address parse_address(char const* text, char const* port) {
  Address address;
  auto const number = htons(static_cast<std::uint16_t>(std::atoi(port)));
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = number;
    address.size = sizeof *v4;
  } else if (::inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = number;
    address.size = sizeof *v6;
  } else {
    usage("ADDRESS PORT: not an address");
  }
  address.family = address.storage.ss_family;
  return address;
}

/// Waits for `events`; a wait that runs out is reported as the hang it is.
inline void wait_for(int fd, short events) {
  pollfd wait{fd, events, 0};
  if (::poll(&wait, 1, kPatienceMs) == 0) refused_as("HANG");
}

/// A TCP connection, or the refusal. `SO_ERROR` holds what a non-blocking connect came to.
inline int dial_tcp(Address const& to) {
  int const fd = ::socket(to.family, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0) refused(errno);
  if (::connect(fd, to.get(), to.size) != 0 && errno != EINPROGRESS) refused(errno);
  wait_for(fd, POLLOUT);
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) refused(error);
  return fd;
}

inline void send_text(int fd, char const* text) {
  if (::send(fd, text, std::strlen(text), MSG_NOSIGNAL) < 0) refused(errno);
}

/// What comes back, as text in `answer`; the refusal when the connection breaks or ends without a byte.
inline void read_answer(int fd, char* answer, std::size_t size) {
  wait_for(fd, POLLIN);
  auto const n = ::recv(fd, answer, size - 1, 0);
  if (n < 0) refused(errno);
  if (n == 0) refused_as("CLOSED");
  answer[n] = '\0';
}

}  // namespace sallyport::guests
