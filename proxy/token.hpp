#pragma once
// Character classes and small list syntax of HTTP. Pure; any thread. Hardened against hostile bytes.
// Source: RFC 9110 sections 5.5 (field values), 5.6.1 (lists), 5.6.2 (tokens), 5.6.3 (white space).

#include <string_view>

namespace sallyport::proxy {

/// 1*tchar.
bool is_token(std::string_view text);
/// Field content: VCHAR, SP, HTAB and obs-text. No CR, LF, NUL or other control byte.
bool is_field_content(std::string_view text);
/// 1*VCHAR: what a request target may be made of.
bool is_visible_ascii(std::string_view text);
/// ASCII case only; other bytes compare as they are. REQUIRES a.size() == b.size().
bool equal_bytes_no_case(std::string_view a, std::string_view b);
/// Field names mostly differ in length: that is looked at without a call.
inline bool equal_no_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal_bytes_no_case(a, b);
}
/// Without leading and trailing SP and HTAB.
std::string_view trim_white_space(std::string_view text);

/// Calls `visit(element)` for every element of a comma-separated list, trimmed; empty elements are skipped.
/// Knows no quoted strings: for lists of tokens and media ranges.
template <class Visit>
void for_each_element(std::string_view list, Visit visit) {
  while (!list.empty()) {
    auto const comma = list.find(',');
    auto const element = trim_white_space(list.substr(0, comma));
    if (!element.empty()) visit(element);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
}

}  // namespace sallyport::proxy
