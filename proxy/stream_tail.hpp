#pragma once
// The end of what has passed of a stream, to be looked at again with what comes next. One thread at a time.

#include "base/limits.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace sallyport::proxy {

class StreamTail {
 public:
  void append(std::string_view text) {
    text_.append(text.substr(text.size() - std::min(text.size(), limits::kSeamBytes)));
    if (text_.size() > limits::kSeamBytes) text_.erase(0, text_.size() - limits::kSeamBytes);
  }
  /// At most limits::kSeamBytes.
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace sallyport::proxy
