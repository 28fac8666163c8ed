#pragma once
// Gives memory back to the system that a crowd of connections has left in the heap: free blocks between others stay
// resident otherwise. Thread: its worker's. Source: malloc_trim(3). Does not move what is in use.

#include <cstddef>

namespace sallyport::proxy {

class HeapTrim {
 public:
  /// So many connections there are. Costs some milliseconds once most of a crowd has gone, and nothing otherwise: call it
  /// when there is nothing else to do.
  void note(std::size_t connections);

  static constexpr std::size_t kCrowd = 256;

 private:
  std::size_t most_ = 0;  // since the last time
};

}  // namespace sallyport::proxy
