#include "policies/quote.hpp"

namespace sallyport::policies {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShownBytes = 100;
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "'";
  for (char c : text.substr(0, kShownBytes)) {
    if (c >= 0x20 && c < 0x7f) {
      out += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
  }
  if (text.size() > kShownBytes) out += "…";
  return out + "'";
}

}  // namespace sallyport::policies
