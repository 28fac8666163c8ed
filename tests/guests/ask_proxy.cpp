// ask_proxy ADDRESS PORT AUTHORITY [relayed|handed_over]: asks a proxy for a tunnel and prints the status line it answers
// with.
//   relayed       over a relay process of the guest's own, which listens on loopback
//   handed_over   the connection is made here and used by another program (this one, executed again)
// A tunnel that stands is the escape.

#include "tests/guests/address.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

using namespace sallyport::guests;

namespace {

[[noreturn]] void ask(int fd, char const* authority) {
  char request[1024];
  std::snprintf(request, sizeof request, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority);
  send_text(fd, request);
  char answer[4096];
  read_answer(fd, answer, sizeof answer);
  std::printf("%.*s\n", static_cast<int>(std::strcspn(answer, "\r\n")), answer);
  if (std::strncmp(answer, "HTTP/1.1 200", 12) == 0) escaped(authority);
  refused_as("DENY_REPLY");
}

void copy(int from, int to) {
  char block[4096];
  for (ssize_t n; (n = ::read(from, block, sizeof block)) > 0;) {
    if (::write(to, block, static_cast<std::size_t>(n)) != n) return;
  }
}

/// Serves one connection of `listener` in two processes, one for each direction.
[[noreturn]] void relay(int listener, Address const& proxy) {
  int const client = ::accept(listener, nullptr, nullptr);
  int const server = ::socket(proxy.family, SOCK_STREAM, 0);
  if (::connect(server, proxy.get(), proxy.size) != 0) ::_exit(1);
  if (::fork() == 0) {
    copy(client, server);
    ::_exit(0);
  }
  copy(server, client);
  ::_exit(0);
}

[[noreturn]] void ask_over_relay(Address const& proxy, char const* authority) {
  int const listener = ::socket(AF_INET, SOCK_STREAM, 0);
  Address here = parse_address("127.0.0.1", "0");
  if (::bind(listener, here.get(), here.size) != 0 || ::listen(listener, 1) != 0) refused(errno);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&here.storage), &here.size);
  if (::fork() == 0) relay(listener, proxy);
  ask(dial_tcp(here), authority);
}

[[noreturn]] void hand_over(int fd, char const* program, char const* authority) {
  ::dup2(fd, STDIN_FILENO);
  ::execl(program, program, "-", "0", authority, static_cast<char*>(nullptr));
  refused(errno);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) usage("ask_proxy ADDRESS PORT AUTHORITY [relayed|handed_over]");
  if (std::strcmp(argv[1], "-") == 0) ask(STDIN_FILENO, argv[3]);
  auto const proxy = parse_address(argv[1], argv[2]);
  if (argc == 5 && std::strcmp(argv[4], "relayed") == 0) ask_over_relay(proxy, argv[3]);
  int const fd = dial_tcp(proxy);
  if (argc == 5 && std::strcmp(argv[4], "handed_over") == 0) hand_over(fd, argv[0], argv[3]);
  ask(fd, argv[3]);
}
