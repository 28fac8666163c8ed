// capabilities: every capability set is empty, no_new_privs is set and a seccomp filter is loaded, else it is an escape.
// Source: proc_pid_status(5).

#include "tests/guests/guest.hpp"

using namespace sallyport::guests;

namespace {

constexpr char const* kExpected[] = {"CapInh:\t0000000000000000",
                                     "CapPrm:\t0000000000000000",
                                     "CapEff:\t0000000000000000",
                                     "CapBnd:\t0000000000000000",
                                     "CapAmb:\t0000000000000000",
                                     "NoNewPrivs:\t1",
                                     "Seccomp:\t2"};

}  // namespace

int main() {
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) refused(errno);
  static char text[8192];
  text[std::fread(text, 1, sizeof text - 1, status)] = '\0';
  for (char const* line : kExpected) {
    if (std::strstr(text, line) == nullptr) escaped(line);
  }
  refused_as("NO_CAPABILITIES");
}
