// inherited_fds: any open descriptor beyond stdin, stdout and stderr is an escape.

#include "tests/guests/guest.hpp"

#include <fcntl.h>

using namespace sallyport::guests;

int main() {
  for (int fd = 3; fd < 4096; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) continue;
    char number[32];
    std::snprintf(number, sizeof number, "descriptor %d", fd);
    escaped(number);
  }
  refused(EBADF);
}
