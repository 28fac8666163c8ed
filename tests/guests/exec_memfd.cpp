// exec_memfd PROGRAM ARGUMENT…: executes a copy of PROGRAM that is in no file system.

#include "tests/guests/guest.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sallyport::guests;

int main(int argc, char** argv) {
  if (argc < 2) usage("exec_memfd PROGRAM ARGUMENT…");
  int const from = ::open(argv[1], O_RDONLY);
  int const copy = ::memfd_create("guest", MFD_CLOEXEC);
  struct stat status {};
  if (from < 0 || copy < 0 || ::fstat(from, &status) != 0) refused(errno);
  if (::sendfile(copy, from, nullptr, static_cast<std::size_t>(status.st_size)) != status.st_size) refused(errno);
  ::fexecve(copy, argv + 1, environ);
  refused(errno);
}
