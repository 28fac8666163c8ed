// unix_peer PATH: connects to a Unix socket; a PATH that begins with '@' is an abstract name. A connection is the escape.

#include "tests/guests/guest.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <cstddef>

using namespace sallyport::guests;

int main(int argc, char** argv) {
  if (argc != 2 || std::strlen(argv[1]) >= sizeof(sockaddr_un::sun_path)) usage("unix_peer PATH");
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  auto const length = std::strlen(argv[1]);
  std::memcpy(to.sun_path, argv[1], length);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  int const fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) refused(errno);
  auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&to), size) != 0) refused(errno);
  escaped(argv[1]);
}
