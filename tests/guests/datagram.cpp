// datagram ADDRESS PORT: sends a UDP datagram; an answer is an escape.

#include "tests/guests/address.hpp"

using namespace sallyport::guests;

int main(int argc, char** argv) {
  if (argc != 3) usage("datagram ADDRESS PORT");
  auto const to = parse_address(argv[1], argv[2]);
  int const fd = ::socket(to.family, SOCK_DGRAM, 0);
  if (fd < 0) refused(errno);
  if (::connect(fd, to.get(), to.size) != 0) refused(errno);
  send_text(fd, "a datagram of the guest");
  char answer[4096];
  read_answer(fd, answer, sizeof answer);
  escaped(answer);
}
