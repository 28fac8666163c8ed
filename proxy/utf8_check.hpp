#pragma once
// Whether a text that comes in pieces is UTF-8. No I/O; one thread at a time. Hardened against hostile bytes. Source: RFC 3629.

#include <string>
#include <string_view>

namespace sallyport::proxy {

class Utf8Check {
 public:
  /// False as soon as what came so far cannot be the start of UTF-8; nothing may be fed then.
  bool feed(std::string_view piece);
  /// Whether the text may end here.
  bool is_complete() const { return rest_.empty(); }

 private:
  std::string rest_;  // the start of a code point that is not whole yet: at most 3 bytes
};

/// Whether all of `text` is.
bool is_utf8(std::string_view text);

}  // namespace sallyport::proxy
