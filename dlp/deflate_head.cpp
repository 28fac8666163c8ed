#include "dlp/deflate_head.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kLookedAt = 64;  // bytes

/// Bits of a stream, the lowest of each byte first.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : size_(std::min(bytes.size(), kLookedAt) * 8) {
    std::memcpy(bytes_.data(), bytes.data(), size_ / 8);
  }

  /// Whether so many are left, of what is looked at.
  bool have(std::size_t count) const { return at_ + count <= size_; }
  /// The next ones, the first lowest; zeros behind the end. REQUIRES count <= 24.
  std::uint32_t peek(unsigned count) const {
    std::uint32_t word;
    std::memcpy(&word, bytes_.data() + at_ / 8, sizeof word);
    return word >> at_ % 8 & ((1u << count) - 1);
  }
  void skip(std::size_t count) { at_ += count; }
  std::uint32_t take(unsigned count) {
    auto const bits = peek(count);
    skip(count);
    return bits;
  }
  void to_next_byte() { at_ = (at_ + 7) / 8 * 8; }

 private:
  std::array<char, kLookedAt + 8> bytes_{};
  std::size_t size_;
  std::size_t at_ = 0;
};

constexpr unsigned reversed(unsigned bits, unsigned count) {
  unsigned turned = 0;
  for (unsigned i = 0; i < count; ++i) turned = turned << 1 | (bits >> i & 1);
  return turned;
}

struct Symbol {
  std::uint16_t value = 0;
  std::uint8_t bits = 0;
};

/// Section 3.2.6: the fixed code for literals and lengths, by the nine bits that come next.
constexpr auto kFixedCode = [] {
  std::array<Symbol, 512> symbols{};
  for (unsigned next = 0; next < symbols.size(); ++next) {
    unsigned const nine = reversed(next, 9), eight = nine >> 1, seven = nine >> 2;
    Symbol symbol{static_cast<std::uint16_t>(nine - 0x190 + 144), 9};
    if (eight < 0xc8) symbol = {static_cast<std::uint16_t>(280 + eight - 0xc0), 8};
    if (eight < 0xc0) symbol = {static_cast<std::uint16_t>(eight - 0x30), 8};
    if (seven < 0x18) symbol = {static_cast<std::uint16_t>(256 + seven), 7};
    symbols[next] = symbol;
  }
  return symbols;
}();

constexpr unsigned kEndOfBlock = 256;
enum class Verdict { no, maybe, next_block };

/// Section 3.2.5: how many bits follow a symbol for a length, and a code for a distance.
unsigned extra_of_length(unsigned symbol) { return symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4; }
unsigned extra_of_distance(unsigned code) { return code < 4 ? 0 : (code - 2) / 2; }

unsigned length_of(unsigned symbol, unsigned extra_bits) {
  if (symbol == 285) return 258;
  auto const extra = extra_of_length(symbol);
  return (symbol < 265 ? symbol - 257 : (4 + (symbol - 265) % 4) << extra) + 3 + extra_bits;
}

/// A match cannot reach back beyond what is there: most random bytes want that soon.
Verdict look_at_fixed(Bits& bits, std::size_t& produced) {
  while (bits.have(9)) {
    auto const symbol = kFixedCode[bits.peek(9)];
    bits.skip(symbol.bits);
    if (symbol.value == kEndOfBlock) return Verdict::next_block;
    if (symbol.value < kEndOfBlock) {
      ++produced;
      continue;
    }
    if (symbol.value > 285) return Verdict::no;
    auto const length = length_of(symbol.value, bits.take(extra_of_length(symbol.value)));
    if (!bits.have(5 + 13)) return Verdict::maybe;
    auto const code = reversed(bits.take(5), 5);
    if (code > 29) return Verdict::no;
    auto const extra = extra_of_distance(code);
    auto const distance = (code < 4 ? code : (2 + (code & 1)) << extra) + bits.take(extra) + 1;
    if (distance > produced) return Verdict::no;
    produced += length;
  }
  return Verdict::maybe;
}

/// Section 3.2.7: the code of the codes' lengths must leave no place of it empty.
Verdict look_at_dynamic(Bits& bits) {
  if (!bits.have(14)) return Verdict::maybe;
  auto const literals = bits.take(5), distances = bits.take(5), lengths = bits.take(4) + 4;
  if (literals > 29 || distances > 29) return Verdict::no;
  if (!bits.have(3 * lengths)) return Verdict::maybe;
  unsigned used = 0;  // of 128
  for (unsigned i = 0; i < lengths; ++i) {
    auto const length = bits.take(3);
    used += length > 0 ? 128u >> length : 0;
  }
  return used == 128 ? Verdict::maybe : Verdict::no;
}

/// Section 3.2.4: the length, and the same with every bit turned. An empty one is written where a stream is flushed.
Verdict look_at_stored(Bits& bits) {
  bits.to_next_byte();
  if (!bits.have(32)) return Verdict::maybe;
  auto const length = bits.take(16), turned = bits.take(16);
  if ((length ^ turned) != 0xffff) return Verdict::no;
  return length == 0 ? Verdict::next_block : Verdict::maybe;
}

}  // namespace

bool may_begin_deflate(std::string_view bytes) {
  constexpr std::size_t kShortest = 15;  // bytes of output that are worth a search
  constexpr int kBlocks = 4;
  Bits bits(bytes);
  std::size_t produced = 0;
  for (int block = 0; block < kBlocks && bits.have(3); ++block) {
    bool const last = bits.take(1) != 0;
    auto verdict = Verdict::no;
    auto const type = bits.take(2);
    if (type == 0) verdict = look_at_stored(bits);
    if (type == 1) verdict = look_at_fixed(bits, produced);
    if (type == 2) verdict = look_at_dynamic(bits);
    if (verdict != Verdict::next_block) return verdict == Verdict::maybe;
    if (last) return produced >= kShortest;
  }
  return true;
}

}  // namespace sallyport::dlp
