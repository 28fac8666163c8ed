#pragma once
// CHECK for our own invariants: prints the expression and place, then aborts. Never for input.
// boost::source_location, because clang 14 has no std::source_location.

#include <boost/assert/source_location.hpp>

#include <cstdio>
#include <cstdlib>

namespace sallyport {

inline void check(bool holds, char const* what, boost::source_location at = BOOST_CURRENT_LOCATION) {
  if (holds) return;
  std::fprintf(stderr, "sallyport: broken invariant: %s (%s:%u)\n", what, at.file_name(), static_cast<unsigned>(at.line()));
  std::abort();
}

}  // namespace sallyport
