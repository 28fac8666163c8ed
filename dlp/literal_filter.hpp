#pragma once
// Finds where any of some hundred literals stands, at a few gigabytes a second. Immutable after build(); any thread.
// Of each literal only the rarest window of three or four bytes is looked for: with LiteralWindows, or at every place where
// there is no AVX2. Every hit is then compared in full. Does not know what a literal means.

#include "dlp/detector.hpp"
#include "dlp/lanes.hpp"
#include "dlp/literal_windows.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

struct Literal {
  std::string text;  // 3 bytes or longer
  Case letter_case = Case::exact;
};

struct LiteralHit {
  std::size_t position = 0;   // of the literal's first byte
  std::uint16_t literal = 0;  // index in the list given to build()
  bool operator==(LiteralHit const&) const = default;
};

class LiteralFilter {
 public:
  /// REQUIRES at most 65535 literals.
  static LiteralFilter build(std::vector<Literal> literals);

  /// Appends every occurrence that lies wholly within `text`, by the position of its window.
  /// REQUIRES that the processor has `lanes`.
  void find(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes = best_lanes()) const;

  std::vector<Literal> const& literals() const { return literals_; }

 private:
  struct Entry {
    std::uint32_t key = 0;  // bytes of the window, the first lowest: four, or three of a literal that has no more
    std::uint16_t literal = 0;
    std::uint16_t offset = 0;  // of the window in the literal
    std::uint16_t next = 0;    // index + 1 of the next entry with the same slot; 0 ends the chain
  };
  static constexpr std::size_t kSlots = 4096;
  struct Keys {
    std::array<std::uint64_t, 1024> known{};    // which keys there are, by a hash of 16 bits
    std::array<std::uint16_t, kSlots> heads{};  // index + 1 in entries_
  };

  void add_window(std::uint16_t literal, std::size_t offset);
  void add_entry(Keys& keys, Entry entry);
  void confirm(std::string_view text, std::size_t at, std::uint32_t word, std::vector<LiteralHit>& hits) const;
  void confirm_key(Keys const& keys, std::string_view text, std::size_t at, std::uint32_t key,
                   std::vector<LiteralHit>& hits) const;
  std::size_t keep_known(char const* text, std::uint16_t* places, std::size_t count) const;
  void confirm_at(std::string_view text, std::size_t at, std::vector<LiteralHit>& hits) const;
  void find_wide(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes) const;
  static constexpr std::size_t kWindow = LiteralWindows::kWindow;
  static constexpr std::uint32_t kHashFactor = 0x9e3779b1;
  static std::size_t slot_of(std::uint32_t key) { return (key * kHashFactor) >> 20; }
  static std::size_t bit_of(std::uint32_t key) { return (key * kHashFactor) >> 16; }

  std::vector<Literal> literals_;
  std::vector<Entry> entries_;
  Keys long_keys_;
  Keys short_keys_;
  LiteralWindows windows_;
};

}  // namespace sallyport::dlp
