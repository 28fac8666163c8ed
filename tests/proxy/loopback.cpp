#include "tests/proxy/loopback.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace sallyport::tests {
namespace {

sockaddr_in loopback_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

sockaddr* generic(sockaddr_in& address) { return static_cast<sockaddr*>(static_cast<void*>(&address)); }

int type_of(SocketKind kind) { return kind == SocketKind::stream ? SOCK_STREAM : SOCK_DGRAM; }

UniqueFd make_socket(SocketKind kind) {
  auto socket = UniqueFd::adopt(::socket(AF_INET, type_of(kind) | SOCK_CLOEXEC, 0), "socket").value();
  timeval const patience{kPatience.count(), 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return socket;
}

}  // namespace

UniqueFd bound_socket(SocketKind kind) {
  auto socket = make_socket(kind);
  auto address = loopback_address(0);
  if (::bind(socket.get(), generic(address), sizeof address) != 0) throw std::runtime_error("bind");
  if (kind == SocketKind::stream && ::listen(socket.get(), 128) != 0) throw std::runtime_error("listen");
  return socket;
}

std::uint16_t port_of(UniqueFd const& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.get(), generic(address), &size);
  return ntohs(address.sin_port);
}

UniqueFd connect_to(std::uint16_t port, SocketKind kind) {
  auto socket = make_socket(kind);
  auto address = loopback_address(port);
  if (::connect(socket.get(), generic(address), sizeof address) != 0) throw std::runtime_error("connect");
  return socket;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string receive(int fd, std::size_t bytes) {
  std::string all;
  std::array<char, 65536> block;
  while (all.size() < bytes) {
    ssize_t const got = ::recv(fd, block.data(), std::min(block.size(), bytes - all.size()), 0);
    if (got <= 0) break;
    all.append(block.data(), static_cast<std::size_t>(got));
  }
  return all;
}

std::string receive_to_end(int fd) { return receive(fd, std::string::npos); }

std::string receive_until(int fd, std::string_view end) {
  std::string all;
  while (!all.ends_with(end)) {
    auto const next = receive(fd, 1);
    if (next.empty()) break;
    all += next;
  }
  return all;
}

End wait_end(int fd) {
  std::array<char, 4096> block;
  for (;;) {
    ssize_t const got = ::recv(fd, block.data(), block.size(), 0);
    if (got == 0) return End::orderly;
    if (got < 0) return errno == ECONNRESET ? End::reset : End::none;
  }
}

void shutdown_send(int fd) { ::shutdown(fd, SHUT_WR); }

Origin::Origin(std::function<void(int fd)> serve)
    : listener_(bound_socket(SocketKind::stream)), port_(port_of(listener_)), serve_(std::move(serve)) {
  timeval const forever{0, 0};
  ::setsockopt(listener_.get(), SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
  acceptor_ = std::thread([this] { accept_loop(); });
}

Origin::~Origin() {
  ::shutdown(listener_.get(), SHUT_RDWR);  // ends accept()
  acceptor_.join();
  for (auto& worker : workers_) worker.join();
}

void Origin::accept_loop() {
  for (;;) {
    int const fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    ++connections_;
    timeval const patience{kPatience.count(), 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    workers_.emplace_back([this, fd] {
      auto const owned = UniqueFd::adopt(fd, "accept");
      serve_(fd);
    });
  }
}

void echo(int fd) {
  std::array<char, 65536> block;
  for (;;) {
    ssize_t const got = ::recv(fd, block.data(), block.size(), 0);
    if (got <= 0) break;
    if (!send_all(fd, {block.data(), static_cast<std::size_t>(got)})) break;
  }
  ::shutdown(fd, SHUT_WR);
}

}  // namespace sallyport::tests
