#pragma once
// Letters of ASCII, whatever the locale is. Pure; any thread.

#include <string>
#include <string_view>

namespace sallyport {

inline std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lowered;
}

}  // namespace sallyport
