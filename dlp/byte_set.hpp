#pragma once
// Sets of bytes, written as in a regular expression: "A-Za-z0-9_". Values, usable in constant tables; any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sallyport::dlp {

class ByteSet {
 public:
  constexpr ByteSet() = default;

  /// `a-b` is a range; a '-' that comes first or last stands for itself. There is no escape.
  static constexpr ByteSet of(std::string_view ranges) {
    ByteSet set;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      bool range = i + 2 < ranges.size() && ranges[i + 1] == '-';
      auto last = static_cast<unsigned char>(range ? ranges[i + 2] : ranges[i]);
      for (unsigned byte = static_cast<unsigned char>(ranges[i]); byte <= last; ++byte) set.add(byte);
      if (range) i += 2;
    }
    return set;
  }

  constexpr bool contains(char c) const {
    auto byte = static_cast<unsigned char>(c);
    return (words_[byte >> 6] >> (byte & 63) & 1) != 0;
  }
  constexpr bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }

  /// How many bytes from the start of `text` belong to the set.
  constexpr std::size_t run(std::string_view text) const {
    std::size_t length = 0;
    while (length < text.size() && contains(text[length])) ++length;
    return length;
  }
  /// How many bytes before the end of `text` belong to the set.
  constexpr std::size_t run_back(std::string_view text) const {
    std::size_t length = 0;
    while (length < text.size() && contains(text[text.size() - length - 1])) ++length;
    return length;
  }
  constexpr bool operator==(ByteSet const&) const = default;

 private:
  constexpr void add(unsigned byte) { words_[byte >> 6] |= std::uint64_t{1} << (byte & 63); }

  std::array<std::uint64_t, 4> words_{};
};

// The alphabets of RFC 4648 and of vendors' tokens.
inline constexpr ByteSet kDigits = ByteSet::of("0-9");
inline constexpr ByteSet kLetters = ByteSet::of("A-Za-z");
inline constexpr ByteSet kHex = ByteSet::of("0-9a-fA-F");
inline constexpr ByteSet kBase32 = ByteSet::of("A-Z2-7");
inline constexpr ByteSet kLowerBase32 = ByteSet::of("a-z2-7");
inline constexpr ByteSet kLowerBase36 = ByteSet::of("0-9a-z");
inline constexpr ByteSet kUpperBase36 = ByteSet::of("0-9A-Z");
inline constexpr ByteSet kBase58 = ByteSet::of("1-9A-HJ-NP-Za-km-z");
inline constexpr ByteSet kBase62 = ByteSet::of("0-9A-Za-z");
inline constexpr ByteSet kBase64 = ByteSet::of("A-Za-z0-9+/");
inline constexpr ByteSet kBase64Url = ByteSet::of("A-Za-z0-9_-");
inline constexpr ByteSet kAnyBase64 = ByteSet::of("A-Za-z0-9+/_-");
inline constexpr ByteSet kWord = ByteSet::of("A-Za-z0-9_");

}  // namespace sallyport::dlp
