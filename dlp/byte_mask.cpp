#include "dlp/byte_mask.hpp"

#include "base/check.hpp"

#include <cstring>

namespace sallyport::dlp {

ByteMask::ByteMask(ByteSet set) : set_(set) {
  check(!set.contains('\0'), "what is behind the end of a text is in no set");
  for (unsigned byte = 0; byte < 128; ++byte) {
    if (!set.contains(static_cast<char>(byte))) continue;
    auto bit = static_cast<std::uint8_t>(1u << (byte >> 4));
    low_[byte & 15] |= bit;
    high_[byte >> 4] = bit;
    whole_[byte] = 0x80;
  }
}

std::uint64_t ByteMask::of(char const* bytes, std::size_t count, Lanes lanes) const {
  if (lanes == Lanes::avx512) return of_avx512(bytes, count);
  if (lanes == Lanes::avx2) {
    if (count == 64) return of_avx2(bytes);
    std::array<char, 64> padded{};
    std::memcpy(padded.data(), bytes, count);
    return of_avx2(padded.data());
  }
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < count; ++i) mask |= std::uint64_t{set_.contains(bytes[i])} << i;
  return mask;
}

}  // namespace sallyport::dlp
