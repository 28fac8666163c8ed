#pragma once
// Reads the memory of a jailed process, from outside. The memory is hostile and may change at any moment. Source: process_vm_readv(2).

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace sallyport::jail {

class ProcessMemory {
 public:
  explicit ProcessMemory(pid_t pid) : pid_(pid) {}

  /// As much of [address, address + size) as is readable; returns how much that is.
  std::size_t read(std::uint64_t address, void* out, std::size_t size) const;
  /// A null-terminated string, cut at `limit` bytes.
  std::string string(std::uint64_t address, std::size_t limit) const;

 private:
  pid_t pid_;
};

}  // namespace sallyport::jail
