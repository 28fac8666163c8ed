#include "jail/process_memory.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace sallyport::jail {
namespace {

constexpr std::size_t kPage = 4096;

std::uint64_t address_of(void const* at) { return reinterpret_cast<std::uint64_t>(at); }

/// Two pages, of which the second may not be read.
class Pages {
 public:
  Pages() : at_(static_cast<char*>(::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    EXPECT_EQ(::mprotect(at_ + kPage, kPage, PROT_NONE), 0);
  }
  Pages(Pages const&) = delete;
  Pages& operator=(Pages const&) = delete;
  ~Pages() { ::munmap(at_, 2 * kPage); }
  char* end() const { return at_ + kPage; }

 private:
  char* at_;
};

TEST(ProcessMemory, ReadsAStringUpToItsEndOrTheLimit) {
  ProcessMemory const memory(::getpid());
  char const text[] = "npm install";
  EXPECT_EQ(memory.string(address_of(text), 100), "npm install");
  EXPECT_EQ(memory.string(address_of(text), 3), "npm");
}

TEST(ProcessMemory, StopsAtAPageThatIsNotThere) {
  Pages const pages;
  std::memcpy(pages.end() - 4, "abcd", 4);
  ProcessMemory const memory(::getpid());
  EXPECT_EQ(memory.string(address_of(pages.end() - 4), 100), "abcd");
}

TEST(ProcessMemory, ReadsNothingFromANullPointerOrADeadProcess) {
  char byte = 0;
  EXPECT_EQ(ProcessMemory(::getpid()).read(0, &byte, 1), 0U);
  EXPECT_EQ(ProcessMemory(0x7ffffff0).read(address_of(&byte), &byte, 1), 0U);
}

}  // namespace
}  // namespace sallyport::jail
