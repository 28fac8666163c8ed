// Any bytes: no crash, and what is accepted is stable and free of what servers read differently.

#include "policies/canonical_path.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

using sallyport::policies::CanonicalPath;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const path = CanonicalPath::from({reinterpret_cast<char const*>(data), size});
  if (!path) return 0;
  auto const text = path->str();
  bool const printable = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!printable || !text.starts_with('/')) __builtin_trap();
  for (auto part : {"//", "%00", "\\", "%2E"}) {
    if (path->path().find(part) != std::string::npos) __builtin_trap();
  }
  for (auto segment : {"/../", "/./"}) {
    if ((path->path() + "/").find(segment) != std::string::npos) __builtin_trap();
  }
  auto const again = CanonicalPath::from(text);
  if (!again || *again != *path) __builtin_trap();
  return 0;
}
