#pragma once
// Finds the places of a text at which a window of three or four bytes, one of some hundred, most likely stands. Immutable
// after it is made; any thread. Passes places where none stands, too; never misses one.
// The windows are put into 16 groups. A group accepts what its windows have at each of their four places, one with the
// other; the bits of all groups come out of a few shuffles of registers.

#include "dlp/detector.hpp"
#include "dlp/lanes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

constexpr char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Every byte that stands for `c` when case counts or not.
constexpr std::array<char, 2> spellings(char c, Case letter_case) {
  auto const small = small_letter(c);
  if (letter_case == Case::exact) return {c, c};
  return {small, small >= 'a' && small <= 'z' ? static_cast<char>(small - ('a' - 'A')) : small};
}

/// Roughly how often a byte occurs in web traffic, in thousandths.
double byte_frequency(char c);

/// What is looked for: three bytes or four, of which letters may have either case.
struct Window {
  std::string_view bytes;
  Case letter_case = Case::exact;
};

class LiteralWindows {
 public:
  static constexpr std::size_t kWindow = 4;   // bytes looked at; the fourth may be left open
  static constexpr std::size_t kBatch = 2048;  // places looked at in one go
  static constexpr std::size_t kRoom = kBatch + 64;

  LiteralWindows() = default;
  /// The commonest windows should come first.
  explicit LiteralWindows(std::vector<Window> const& windows);

  /// Writes the places of the first kBatch bytes of `text` at which a window may stand, as far as three bytes are left; how
  /// many they are. REQUIRES that the processor has `lanes`, which is not scalar, and room for kRoom places.
  std::size_t find(std::string_view text, std::uint16_t* places, Lanes lanes) const;

  /// For each byte of the window: which groups accept its lower half, and its mixture with the next. Two sets of eight
  /// groups.
  struct Shuffles {
    alignas(32) std::array<std::array<std::array<std::uint8_t, 16>, kWindow>, 2> low{};
    alignas(32) std::array<std::array<std::array<std::uint8_t, 16>, kWindow>, 2> mixed{};
  };
  /// The same for bytes of ASCII as a whole, and for seven bits of their mixture.
  struct WideShuffles {
    alignas(64) std::array<std::array<std::array<std::uint8_t, 128>, kWindow>, 2> whole{};
    alignas(64) std::array<std::array<std::array<std::uint8_t, 128>, kWindow - 1>, 2> mixed{};
  };

 private:
  Shuffles shuffles_;
  WideShuffles wide_;
};

}  // namespace sallyport::dlp
