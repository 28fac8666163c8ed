#pragma once
// What every guest shares. A guest is a small program that tries one way out of the jail: it prints ESCAPED and exits 0
// when it got through, else it prints "refused: <errno name>" and exits with kGuestRefused. So a jail that does nothing
// fails the test. Guests are linked statically and use no library but libc: they run in any root file system.

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sallyport::guests {

inline constexpr int kGuestRefused = 42;
inline constexpr int kGuestUsage = 43;
inline constexpr int kPatienceMs = 3000;  // a refusal that takes longer is a hang

[[noreturn]] inline void escaped(char const* how) {
  std::printf("ESCAPED: %s\n", how);
  std::exit(0);
}

[[noreturn]] inline void refused_as(char const* word) {
  std::printf("refused: %s\n", word);
  std::exit(kGuestRefused);
}

[[noreturn]] inline void refused(int error) { refused_as(strerrorname_np(error)); }

[[noreturn]] inline void usage(char const* arguments) {
  std::fprintf(stderr, "usage: %s\n", arguments);
  std::exit(kGuestUsage);
}

}  // namespace sallyport::guests
