#pragma once
// A stretch of a text. A value.

#include <cstddef>

namespace sallyport::dlp {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(Span const&) const = default;
};

}  // namespace sallyport::dlp
