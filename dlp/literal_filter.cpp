#include "dlp/literal_filter.hpp"

#include "base/check.hpp"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

namespace sallyport::dlp {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }

/// Roughly how often a byte occurs in web traffic, in thousandths.
constexpr double estimated_frequency(char c) {
  constexpr std::string_view kCommon = "etaoinsrlcdpum";
  if (kCommon.find(c) != std::string_view::npos) return 45;
  if (c >= 'a' && c <= 'z') return 14;
  if (c >= '0' && c <= '9') return 14;
  if (c >= 'A' && c <= 'Z') return 6;
  constexpr std::string_view kSyntax = " \n\"',.:;/(){}=";
  return kSyntax.find(c) != std::string_view::npos ? 22 : 4;
}

constexpr auto kFrequencies = [] {
  std::array<double, 256> frequencies{};
  for (unsigned byte = 0; byte < 256; ++byte) frequencies[byte] = estimated_frequency(static_cast<char>(byte));
  return frequencies;
}();

double frequency(char c) { return kFrequencies[static_cast<unsigned char>(c)]; }

/// Every byte that stands for `c` when case counts or not.
std::array<char, 2> spellings(char c, Case letter_case) {
  return letter_case == Case::exact ? std::array{c, c} : std::array{lower(c), upper(c)};
}

bool equal(std::string_view a, std::string_view b, Case letter_case) {
  if (letter_case == Case::exact) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

double rarity(Literal const& literal, std::size_t offset, std::size_t width) {
  double product = 1;
  for (char c : std::string_view(literal.text).substr(offset, width)) {
    product *= frequency(lower(c)) * (literal.letter_case == Case::exact && lower(c) == c ? 1.0 : 0.5);
    if (literal.letter_case == Case::ignored) product *= 2;
  }
  return product;
}

/// Where the rarest window of a literal begins.
std::size_t rarest_window(Literal const& literal) {
  std::size_t width = std::min(literal.text.size(), LiteralFilter::kWindow);
  std::size_t best = 0;
  for (std::size_t offset = 1; offset + width <= literal.text.size(); ++offset) {
    if (rarity(literal, offset, width) < rarity(literal, best, width)) best = offset;
  }
  return best;
}

/// The half-bytes one group accepts, a bit each, and how often random traffic passes each place.
struct Group {
  std::array<std::uint16_t, LiteralFilter::kWindow> low{};
  std::array<std::uint16_t, LiteralFilter::kWindow> high{};
  std::array<double, LiteralFilter::kWindow> share{};

  void add(Literal const& literal, std::size_t offset) {
    for (std::size_t i = 0; i < LiteralFilter::kWindow; ++i) {
      unsigned low_bits = 0xffff, high_bits = 0xffff;  // behind a short literal anything may stand
      if (offset + i < literal.text.size()) {
        low_bits = high_bits = 0;
        for (char c : spellings(literal.text[offset + i], literal.letter_case)) {
          low_bits |= 1u << (c & 15);
          high_bits |= 1u << (static_cast<unsigned char>(c) >> 4);
        }
      }
      bool known = (low[i] & low_bits) == low_bits && (high[i] & high_bits) == high_bits;
      if (known) continue;
      low[i] = static_cast<std::uint16_t>(low[i] | low_bits);
      high[i] = static_cast<std::uint16_t>(high[i] | high_bits);
      share[i] = share_of(low[i], high[i]);
    }
  }

  /// How often random traffic passes this group.
  double load() const { return std::accumulate(share.begin(), share.end(), 1.0, std::multiplies<>()); }

 private:
  static double share_of(unsigned low_bits, unsigned high_bits) {
    double sum = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned accepted = low_bits >> (byte & 15) & high_bits >> (byte >> 4) & 1u;
      sum += accepted * kFrequencies[byte] / 1000;
    }
    return std::min(sum, 1.0);
  }
};

/// The group whose load grows least by this window.
std::size_t cheapest_group(std::array<Group, LiteralFilter::kGroups> const& groups, Literal const& literal,
                           std::size_t offset) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Group grown = groups[i];
    grown.add(literal, offset);
    double growth = grown.load() - groups[i].load();
    if (growth < least) {
      least = growth;
      best = i;
    }
  }
  return best;
}

void write_group(LiteralFilter::Shuffles& shuffles, std::size_t index, Group const& group) {
  auto bit = static_cast<std::uint8_t>(1u << (index % 8));
  for (std::size_t i = 0; i < LiteralFilter::kWindow; ++i) {
    for (std::size_t half = 0; half < 16; ++half) {
      if ((group.low[i] >> half & 1) != 0) shuffles.low[index / 8][i][half] |= bit;
      if ((group.high[i] >> half & 1) != 0) shuffles.high[index / 8][i][half] |= bit;
    }
  }
}

/// The four shuffle tables of one half-byte and one set of groups, each in both halves of a register.
struct Tables {
  __m256i at[LiteralFilter::kWindow];
};

__attribute__((target("avx2"))) inline Tables load_tables(std::array<std::array<std::uint8_t, 16>, 4> const& bytes) {
  Tables tables;
  for (std::size_t i = 0; i < LiteralFilter::kWindow; ++i) {
    // SAFETY: 16 bytes are read from an array of 16.
    tables.at[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<__m128i const*>(bytes[i].data())));
  }
  return tables;
}

}  // namespace

Lanes best_lanes() { return __builtin_cpu_supports("avx2") ? Lanes::avx2 : Lanes::scalar; }

LiteralFilter LiteralFilter::build(std::vector<Literal> literals) {
  check(literals.size() < 65535, "too many literals for one filter");
  LiteralFilter filter;
  filter.literals_ = std::move(literals);
  std::vector<std::uint16_t> order(filter.literals_.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::vector<std::size_t> offsets;
  for (auto const& literal : filter.literals_) offsets.push_back(rarest_window(literal));
  auto commonness = [&](std::uint16_t i) { return rarity(filter.literals_[i], offsets[i], kWindow); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return commonness(a) > commonness(b); });

  std::array<Group, kGroups> groups;
  for (auto index : order) {
    groups[cheapest_group(groups, filter.literals_[index], offsets[index])].add(filter.literals_[index], offsets[index]);
    filter.add_window(index, offsets[index]);
  }
  for (std::size_t i = 0; i < kGroups; ++i) write_group(filter.shuffles_, i, groups[i]);
  return filter;
}

/// One entry for each spelling of the window's first three bytes.
void LiteralFilter::add_window(std::uint16_t literal, std::size_t offset) {
  auto const& [text, letter_case] = literals_[literal];
  check(text.size() >= 3, "a literal has three bytes or more");
  std::vector<std::uint32_t> keys;
  for (unsigned variant = 0; variant < 8; ++variant) {
    char bytes[3];
    for (std::size_t i = 0; i < 3; ++i) bytes[i] = spellings(text[offset + i], letter_case)[variant >> i & 1];
    keys.push_back(key_at(bytes));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (auto key : keys) add_entry(key, literal, offset);
}

void LiteralFilter::add_entry(std::uint32_t key, std::uint16_t literal, std::size_t offset) {
  auto& head = heads_[slot_of(key)];
  check(entries_.size() < 65535, "too many literals for one filter");
  entries_.push_back({key, literal, static_cast<std::uint16_t>(offset), head});
  head = static_cast<std::uint16_t>(entries_.size());
}

std::uint32_t LiteralFilter::key_at(char const* bytes) {
  auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  return byte(0) | byte(1) << 8 | byte(2) << 16;
}

std::size_t LiteralFilter::slot_of(std::uint32_t key) { return (key * 0x9e3779b1u) >> 20; }

/// REQUIRES at + 3 <= text.size().
void LiteralFilter::confirm(std::string_view text, std::size_t at, std::vector<LiteralHit>& hits) const {
  auto key = key_at(text.data() + at);
  for (auto index = heads_[slot_of(key)]; index != 0; index = entries_[index - 1u].next) {
    auto const& entry = entries_[index - 1u];
    if (entry.key != key || entry.offset > at) continue;
    auto const& literal = literals_[entry.literal];
    auto position = at - entry.offset;
    if (text.size() - position < literal.text.size()) continue;
    if (equal(text.substr(position, literal.text.size()), literal.text, literal.letter_case)) {
      hits.push_back({position, entry.literal});
    }
  }
}

void LiteralFilter::find_scalar(std::string_view text, std::size_t from, std::vector<LiteralHit>& hits) const {
  for (std::size_t at = from; at + 3 <= text.size(); ++at) {
    if (heads_[slot_of(key_at(text.data() + at))] != 0) confirm(text, at, hits);
  }
}

__attribute__((target("avx2"))) void LiteralFilter::find_avx2(std::string_view text, std::vector<LiteralHit>& hits) const {
  Tables low[2] = {load_tables(shuffles_.low[0]), load_tables(shuffles_.low[1])};
  Tables high[2] = {load_tables(shuffles_.high[0]), load_tables(shuffles_.high[1])};
  __m256i const half = _mm256_set1_epi8(0x0f);
  __m256i const zero = _mm256_setzero_si256();
  std::size_t at = 0;
  for (; at + 32 + kWindow <= text.size(); at += 32) {
    __m256i groups[2] = {_mm256_set1_epi8(-1), _mm256_set1_epi8(-1)};
    for (std::size_t i = 0; i < kWindow; ++i) {
      // SAFETY: at + i + 32 < text.size() by the loop's condition.
      __m256i bytes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text.data() + at + i));
      __m256i low_half = _mm256_and_si256(bytes, half);
      __m256i high_half = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
      for (std::size_t set = 0; set < 2; ++set) {
        __m256i accepted = _mm256_and_si256(_mm256_shuffle_epi8(low[set].at[i], low_half),
                                            _mm256_shuffle_epi8(high[set].at[i], high_half));
        groups[set] = _mm256_and_si256(groups[set], accepted);
      }
    }
    __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(groups[0], groups[1]), zero);
    for (auto mask = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none)); mask != 0; mask &= mask - 1) {
      confirm(text, at + static_cast<std::size_t>(std::countr_zero(mask)), hits);
    }
  }
  find_scalar(text, at, hits);
}

void LiteralFilter::find(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes) const {
  if (lanes == Lanes::avx2) return find_avx2(text, hits);
  find_scalar(text, 0, hits);
}

}  // namespace sallyport::dlp
