#include "cli/heap.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace sallyport::cli {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kHeapBytes = 512 * 1024;
constexpr int kKeepBytes = 4 * 1024 * 1024;  // smaller blocks come from the heap, and so much of it is kept when it is freed

}  // namespace

void populate_heap() {
  ::mallopt(M_MMAP_THRESHOLD, kKeepBytes);
  ::mallopt(M_TRIM_THRESHOLD, kKeepBytes);
  void* const block = std::malloc(kHeapBytes);
  if (block == nullptr) return;
  auto const first = (reinterpret_cast<std::uintptr_t>(block) + kPageBytes - 1) / kPageBytes * kPageBytes;
  ::madvise(reinterpret_cast<void*>(first), kHeapBytes - kPageBytes, MADV_POPULATE_WRITE);
  std::free(block);
}

}  // namespace sallyport::cli
