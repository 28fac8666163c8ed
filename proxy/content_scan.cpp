#include "proxy/content_scan.hpp"

#include <algorithm>

namespace sallyport::proxy {

void ContentScan::feed(std::string_view content) {
  scanner_.feed(content);
  joined_.feed(content);
}

void ContentScan::finish() {
  scanner_.finish();
  joined_.finish();
}

std::uint64_t ContentScan::clear_up_to() const { return std::min(scanner_.clear_up_to(), joined_.clear_up_to()); }

}  // namespace sallyport::proxy
