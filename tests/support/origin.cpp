#include "tests/support/origin.hpp"

#include "tests/support/origin_stream.hpp"
#include "tests/support/socket_address.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <algorithm>
#include <array>
#include <charconv>

namespace sallyport::test {

namespace {

std::string response(std::string const& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         body;
}

std::size_t number_in(std::string_view text, int base) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

/// The value of a field in a well-formed head; names are compared in lower case.
std::string field(std::string const& head, std::string const& name) {
  std::string lower(head);
  std::transform(head.begin(), head.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  auto const at = lower.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  auto const start = at + name.size() + 4;
  return head.substr(start, head.find("\r\n", start) - start);
}

std::string read_chunked(OriginStream& stream) {
  std::string body;
  while (std::size_t const size = number_in(stream.read_through("\r\n"), 16)) {
    body += stream.read_exactly(size);
    stream.read_through("\r\n");
  }
  stream.read_through("\r\n");
  return body;
}

/// Says that much follows, sends a little, and waits until the client goes away.
bool drip(OriginStream& stream) {
  stream.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nfirst bytes");
  return !stream.read_exactly(1).empty();
}

std::string read_body(OriginStream& stream, std::string const& head) {
  if (field(head, "expect") == "100-continue") stream.write("HTTP/1.1 100 Continue\r\n\r\n");
  if (field(head, "transfer-encoding") == "chunked") return read_chunked(stream);
  return stream.read_exactly(number_in(field(head, "content-length"), 10));
}

}  // namespace

Origin::Origin(std::string const& address) : Origin(OpenSsl<SSL_CTX>(), address) {}

Origin::Origin(TestCa const& ca, std::vector<std::string> const& names, std::string const& address)
    : Origin(ca.server_context(names), address) {}

Origin::Origin(OpenSsl<SSL_CTX> tls, std::string const& address)
    : tls_(std::move(tls)),
      listener_(bound_socket(SOCK_STREAM, address)),
      stop_(UniqueFd::adopt(::eventfd(0, EFD_CLOEXEC), "eventfd").value()),
      port_(local_port(listener_.get())) {
  ::listen(listener_.get(), 1024);
  acceptor_ = std::thread([this] { accept_loop(); });
}

Origin::~Origin() {
  ::eventfd_write(stop_.get(), 1);
  acceptor_.join();
  {
    std::lock_guard lock(mutex_);
    for (int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  for (auto& worker : workers_) worker.join();
}

std::size_t Origin::open_connections() const {
  std::lock_guard lock(mutex_);
  return open_.size();
}

void Origin::accept_loop() {
  std::array<pollfd, 2> waits{pollfd{listener_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
  while (::poll(waits.data(), waits.size(), -1) >= 0 && waits[1].revents == 0) {
    auto socket = UniqueFd::adopt(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept");
    if (!socket) continue;
    ++connections_;
    std::lock_guard lock(mutex_);
    open_.insert(socket->get());
    workers_.emplace_back([this](UniqueFd fd) { serve(std::move(fd)); }, std::move(*socket));
  }
}

void Origin::serve(UniqueFd socket) {
  int const fd = socket.get();
  if (char byte = 0; ::recv(fd, &byte, 1, MSG_PEEK) == 1) first_byte_();
  {
    OriginStream stream(std::move(socket), tls_.get());
    if (stream.resumed()) ++resumptions_;
    for (auto head = stream.read_through("\r\n\r\n"); !head.empty(); head = stream.read_through("\r\n\r\n")) {
      ++requests_;
      if (!answer(stream, head)) break;
    }
    std::lock_guard lock(mutex_);
    open_.erase(fd);  // before the descriptor is closed and its number used again
  }
}

bool Origin::answer(OriginStream& stream, std::string const& head) {
  auto const path_start = head.find(' ') + 1;
  auto const path = head.substr(path_start, head.find(' ', path_start) - path_start);
  auto const body = read_body(stream, head);
  if (path == "/hello") return stream.write(response("hello\n"));
  if (path == "/echo") return stream.write(response(head));
  if (path == "/echo/reversed") return stream.write(response(std::string(head.rbegin(), head.rend())));
  if (path.starts_with("/digest/")) return stream.write(response(sha256_hex(field(head, path.substr(8)))));
  if (path.starts_with("/redirect?")) return stream.write("HTTP/1.1 302 Found\r\nLocation: " + path.substr(10) + "\r\nContent-Length: 0\r\n\r\n");
  if (path == "/upload") return stream.write(response(std::to_string(body.size()) + " " + sha256_hex(body) + "\n"));
  if (path.starts_with("/bytes/")) return stream.write(response(pattern_bytes(number_in(path.substr(7), 10))));
  if (path == "/drip") return drip(stream);
  return stream.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
}

std::string pattern_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::uint32_t state = 1;
  for (auto& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

}  // namespace sallyport::test
