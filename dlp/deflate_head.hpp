#pragma once
// Whether bytes may begin a raw deflate stream, which has no mark of its own. Pure; any thread. Source: RFC 1951.

#include <string_view>

namespace sallyport::dlp {

/// Never false for the first bytes, however few, of a stream that unpacks to fifteen bytes or more; true for about one of a
/// hundred random texts. Unpacks nothing, and looks at no more than 64 bytes.
bool may_begin_deflate(std::string_view bytes);

}  // namespace sallyport::dlp
