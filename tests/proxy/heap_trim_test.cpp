#include "proxy/heap_trim.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kOwnHeap = false;
#else
constexpr bool kOwnHeap = true;
#endif

constexpr std::size_t kBlocks = 40'000, kBlockBytes = 2000;

std::size_t resident_kb() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;) {
    if (word != "Rss:") continue;
    std::size_t kb = 0;
    file >> kb;
    return kb;
  }
  return 0;
}

/// A block at the end keeps the others from going back by themselves.
TEST(HeapTrim, WhatACrowdLeavesGoesBackOnce) {
  if (!kOwnHeap) GTEST_SKIP() << "the sanitizer has a heap of its own";
  HeapTrim trim;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<char[]>(kBlockBytes));
  auto const last = std::make_unique<char[]>(kBlockBytes);
  trim.note(1000);
  auto const crowded = resident_kb();
  blocks.clear();
  trim.note(600);
  EXPECT_GT(resident_kb(), crowded - kBlocks * kBlockBytes / 1024 / 2) << "most of the crowd is there: nothing is done";
  trim.note(10);
  EXPECT_LT(resident_kb(), crowded - kBlocks * kBlockBytes / 1024 / 2);
}

}  // namespace
}  // namespace sallyport::proxy
