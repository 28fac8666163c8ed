#pragma once
// CHECK for our own invariants: prints the expression and place, then aborts. Never for input.

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace sallyport {

inline void check(bool holds, char const* what, std::source_location at = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "sallyport: broken invariant: %s (%s:%u)\n", what, at.file_name(), at.line());
  std::abort();
}

}  // namespace sallyport
