// dial ADDRESS PORT: speaks HTTP to an address over TCP. An answer by Sallyport itself is a refusal, any other an escape.

#include "tests/guests/address.hpp"

using namespace sallyport::guests;

int main(int argc, char** argv) {
  if (argc != 3) usage("dial ADDRESS PORT");
  int const fd = dial_tcp(parse_address(argv[1], argv[2]));
  send_text(fd, "GET /hello HTTP/1.1\r\nHost: guest.example\r\nConnection: close\r\n\r\n");
  char answer[4096];
  read_answer(fd, answer, sizeof answer);
  if (std::strstr(answer, "Sallyport-Reason:") != nullptr) refused_as("DENY_REPLY");
  escaped(answer);
}
