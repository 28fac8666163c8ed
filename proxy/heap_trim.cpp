#include "proxy/heap_trim.hpp"

#include <malloc.h>

#include <algorithm>

namespace sallyport::proxy {

void HeapTrim::note(std::size_t connections) {
  most_ = std::max(most_, connections);
  if (most_ < kCrowd || connections * 4 > most_) return;
  ::malloc_trim(0);
  most_ = connections;
}

}  // namespace sallyport::proxy
