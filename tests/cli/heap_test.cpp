#include "cli/heap.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstdlib>

namespace sallyport::cli {
namespace {

long page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST(Heap, AnAllocationFindsItsPagesThere) {
  constexpr std::size_t kBytes = 256 * 1024, kPageBytes = 4096;
  populate_heap();
  auto const before = page_faults();
  auto* const block = static_cast<char volatile*>(std::malloc(kBytes));
  for (std::size_t at = 0; at < kBytes; at += kPageBytes) block[at] = 1;
  auto const faults = page_faults() - before;
  std::free(const_cast<char*>(block));
  EXPECT_LT(faults, 8) << "of 64 pages";
}

}  // namespace
}  // namespace sallyport::cli
