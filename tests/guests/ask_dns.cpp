// ask_dns SERVER PORT NAME udp|tcp: asks a name server for an A record. Source: RFC 1035 section 4.
// Prints "answer: a.b.c.d", else it is refused with the response code. The test knows which addresses are an escape.

#include "tests/guests/address.hpp"

using namespace sallyport::guests;

namespace {

constexpr std::size_t kHeaderBytes = 12;

/// A query for `name`; returns its length.
std::size_t write_query(unsigned char* out, char const* name) {
  unsigned char const header[kHeaderBytes] = {0x12, 0x34, 0x01, 0x00, 0, 1};  // id, RD, one question
  std::memcpy(out, header, sizeof header);
  std::size_t size = sizeof header;
  for (char const* label = name; *label != '\0';) {
    auto const length = std::strcspn(label, ".");
    out[size++] = static_cast<unsigned char>(length);
    std::memcpy(out + size, label, length);
    size += length;
    label += length + (label[length] == '.' ? 1 : 0);
  }
  unsigned char const tail[] = {0, 0, 1, 0, 1};  // root label, type A, class IN
  std::memcpy(out + size, tail, sizeof tail);
  return size + sizeof tail;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) usage("ask_dns SERVER PORT NAME udp|tcp");
  bool const tcp = std::strcmp(argv[4], "tcp") == 0;
  unsigned char query[512];
  auto const size = write_query(query + 2, argv[3]);
  query[0] = 0;  // the length that goes before a message over TCP
  query[1] = static_cast<unsigned char>(size);

  auto const to = parse_address(argv[1], argv[2]);
  int const fd = tcp ? dial_tcp(to) : ::socket(to.family, SOCK_DGRAM, 0);
  if (!tcp && ::connect(fd, to.get(), to.size) != 0) refused(errno);
  if (::send(fd, tcp ? query : query + 2, tcp ? size + 2 : size, MSG_NOSIGNAL) < 0) refused(errno);

  char answer[1024] = {};
  read_answer(fd, answer, sizeof answer);
  auto const* message = reinterpret_cast<unsigned char const*>(answer) + (tcp ? 2 : 0);
  int const rcode = message[3] & 15;
  if (rcode == 3) refused_as("NXDOMAIN");
  if (rcode != 0) refused_as("RCODE");
  if (message[7] == 0) refused_as("NODATA");
  auto const* address = message + size + 12;  // behind the question: name pointer, type, class, TTL, length
  std::printf("answer: %d.%d.%d.%d\n", address[0], address[1], address[2], address[3]);
  return 0;
}
