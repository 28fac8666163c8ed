#pragma once
// UTF-8, one code point at a time. Pure; any thread. Source: RFC 3629.

#include <string>
#include <string_view>

namespace sallyport::dlp {

/// Surrogates and values above U+10FFFF are appended as nothing.
void append_utf8(char32_t code_point, std::string& out);

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // 0: not UTF-8
};
/// The code point at the start of `text`. REQUIRES !text.empty().
CodePoint first_code_point(std::string_view text);

/// The ASCII letter, digit, or sign that a character looks like or is a form of; '\0' if none.
char ascii_look(char32_t code_point);

/// Characters that a reader does not see: zero-width, joiners, direction marks, variation selectors, tags, combining marks.
bool is_invisible(char32_t code_point);

}  // namespace sallyport::dlp
