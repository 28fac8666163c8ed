#include "dlp/literal_filter.hpp"

#include "base/check.hpp"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
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

/// How often a byte's lower half is in a set, for the lower and the upper eight.
constexpr auto kLowShares = [] {
  std::array<double, 16> each{};
  double all = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    each[byte & 15] += kFrequencies[byte];
    all += kFrequencies[byte];
  }
  std::array<std::array<double, 256>, 2> shares{};
  for (unsigned part = 0; part < 2; ++part) {
    for (unsigned set = 1; set < 256; ++set) {
      auto last = static_cast<unsigned>(std::countr_zero(set));
      shares[part][set] = shares[part][set & (set - 1)] + each[part << 3 | last] / all;
    }
  }
  return shares;
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

/// What the second table of a place is asked: both halves of a byte, and the lower half of the next. In text of small
/// letters the upper half alone says nothing. At the last place there is no next byte.
constexpr unsigned mixed_half(unsigned char byte, unsigned char next, std::size_t place) {
  if (place + 1 == LiteralFilter::kWindow) return byte >> 4;
  return (byte ^ byte >> 4 ^ next << 1) & 15u;
}

/// The half-bytes one group accepts, a bit each, and how often traffic passes each place.
struct Group {
  std::array<std::uint16_t, LiteralFilter::kWindow> low{};
  std::array<std::uint16_t, LiteralFilter::kWindow> mixed{};

  void add(Literal const& literal, std::size_t offset) {
    auto bytes_at = [&](std::size_t place) {
      auto both = spellings(literal.text[offset + place], literal.letter_case);
      return std::array{static_cast<unsigned char>(both[0]), static_cast<unsigned char>(both[1])};
    };
    auto known = [&](std::size_t place) { return offset + place < literal.text.size(); };
    for (std::size_t place = 0; place < LiteralFilter::kWindow; ++place) {
      bool last = place + 1 == LiteralFilter::kWindow;
      if (!known(place) || (!last && !known(place + 1)))
        mixed[place] = 0xffff;  // behind a short literal anything may stand
      if (!known(place)) low[place] = 0xffff;
      if (!known(place)) continue;
      for (auto byte : bytes_at(place)) {
        low[place] = static_cast<std::uint16_t>(low[place] | 1u << (byte & 15));
        if (mixed[place] == 0xffff) continue;
        for (auto next : last ? bytes_at(place) : bytes_at(place + 1)) {
          mixed[place] = static_cast<std::uint16_t>(mixed[place] | 1u << mixed_half(byte, next, place));
        }
      }
    }
  }

  /// How often traffic passes this group, roughly.
  double load() const {
    double share = 1;
    for (std::size_t place = 0; place < LiteralFilter::kWindow; ++place) {
      share *= kLowShares[0][low[place] & 255] + kLowShares[1][low[place] >> 8];
      share *= std::popcount(mixed[place]) / 16.0;
    }
    return share;
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
      if ((group.mixed[i] >> half & 1) != 0) shuffles.mixed[index / 8][i][half] |= bit;
    }
  }
}

/// REQUIRES four bytes.
std::uint32_t word_at(char const* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
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

Lanes best_lanes() {
  bool const wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
  return wide ? Lanes::avx2 : Lanes::scalar;
}

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

/// One entry for each spelling of the window's bytes.
void LiteralFilter::add_window(std::uint16_t literal, std::size_t offset) {
  auto const& [text, letter_case] = literals_[literal];
  check(text.size() >= 3, "a literal has three bytes or more");
  std::size_t const width = text.size() == 3 ? 3 : 4;
  std::vector<std::uint32_t> keys;
  for (unsigned variant = 0; variant < 1u << width; ++variant) {
    std::uint32_t key = 0;
    for (std::size_t i = 0; i < width; ++i) {
      auto byte = static_cast<unsigned char>(spellings(text[offset + i], letter_case)[variant >> i & 1]);
      key |= static_cast<std::uint32_t>(byte) << (8 * i);
    }
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (auto key : keys)
    add_entry(width == 3 ? short_keys_ : long_keys_, {key, literal, static_cast<std::uint16_t>(offset), 0});
}

void LiteralFilter::add_entry(Keys& keys, Entry entry) {
  keys.known[bit_of(entry.key) / 64] |= std::uint64_t{1} << (bit_of(entry.key) % 64);
  auto& head = keys.heads[slot_of(entry.key)];
  check(entries_.size() < 65535, "too many literals for one filter");
  entry.next = head;
  entries_.push_back(entry);
  head = static_cast<std::uint16_t>(entries_.size());
}

void LiteralFilter::confirm(std::string_view text, std::size_t at, std::uint32_t word,
                            std::vector<LiteralHit>& hits) const {
  confirm_key(long_keys_, text, at, word, hits);
  confirm_key(short_keys_, text, at, word & 0xffffff, hits);
}

void LiteralFilter::confirm_key(Keys const& keys, std::string_view text, std::size_t at, std::uint32_t key,
                                std::vector<LiteralHit>& hits) const {
  for (auto index = keys.heads[slot_of(key)]; index != 0; index = entries_[index - 1u].next) {
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

/// Moves those places to the front whose window is one that is looked for, most likely; how many there are.
std::size_t LiteralFilter::keep_known(char const* text, std::uint16_t* places, std::size_t count) const {
  auto const* long_known = long_keys_.known.data();
  auto const* short_known = short_keys_.known.data();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto const place = places[i];
    auto const word = word_at(text + place);
    auto const long_bit = bit_of(word), short_bit = bit_of(word & 0xffffff);
    places[kept] = place;
    kept += (long_known[long_bit / 64] >> long_bit % 64 | short_known[short_bit / 64] >> short_bit % 64) & 1;
  }
  return kept;
}

void LiteralFilter::find_scalar(std::string_view text, std::vector<LiteralHit>& hits) const {
  for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
    std::uint32_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<std::size_t>(4, text.size() - at));
    confirm(text, at, word, hits);
  }
}

/// Which of 32 places pass one of the groups. REQUIRES 35 bytes.
__attribute__((target("avx2"))) inline std::uint32_t places_wide(char const* text, Tables const (&low)[2],
                                                                 Tables const (&mixed)[2]) {
  __m256i const half = _mm256_set1_epi8(0x0f);
  __m256i groups[2] = {_mm256_set1_epi8(-1), _mm256_set1_epi8(-1)};
  __m256i bytes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text));
#pragma GCC unroll 4
  for (std::size_t i = 0; i < LiteralFilter::kWindow; ++i) {
    bool const last = i + 1 == LiteralFilter::kWindow;
    // SAFETY: i + 1 + 32 <= 35, but for the last place.
    __m256i next = last ? bytes : _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text + i + 1));
    __m256i upper = _mm256_srli_epi16(bytes, 4);
    __m256i mix = last ? upper : _mm256_xor_si256(_mm256_xor_si256(bytes, upper), _mm256_add_epi8(next, next));
    __m256i low_half = _mm256_and_si256(bytes, half);
    __m256i mix_half = _mm256_and_si256(mix, half);
#pragma GCC unroll 2
    for (std::size_t set = 0; set < 2; ++set) {
      __m256i accepted =
          _mm256_and_si256(_mm256_shuffle_epi8(low[set].at[i], low_half), _mm256_shuffle_epi8(mixed[set].at[i], mix_half));
      groups[set] = _mm256_and_si256(groups[set], accepted);
    }
    bytes = next;
  }
  __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(groups[0], groups[1]), _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none));
}

/// Appends the places of a mask's bits, each plus `base`, and returns how many there are by then. Most masks have few bits:
/// these are written without a branch. REQUIRES room for 32 more.
__attribute__((target("avx2,bmi,popcnt"))) inline std::size_t append_places(std::uint32_t mask, std::size_t base,
                                                                            std::uint16_t* places, std::size_t count) {
  constexpr int kMostly = 6;
  auto const all = count + static_cast<std::size_t>(std::popcount(mask));
  for (int i = 0; i < kMostly; ++i, mask &= mask - 1) {
    places[count + i] = static_cast<std::uint16_t>(base + static_cast<unsigned>(std::countr_zero(mask)));
  }
  for (auto next = count + kMostly; next < all; ++next, mask &= mask - 1) {
    places[next] = static_cast<std::uint16_t>(base + static_cast<unsigned>(std::countr_zero(mask)));
  }
  return all;
}

/// One step at a time for some kilobytes: the places that pass a group, then those of them whose window is known, then
/// these in full. Branches on single places would cost more than all of the rest.
__attribute__((target("avx2,bmi,popcnt"))) void LiteralFilter::find_avx2(std::string_view text,
                                                                         std::vector<LiteralHit>& hits) const {
  Tables const low[2] = {load_tables(shuffles_.low[0]), load_tables(shuffles_.low[1])};
  Tables const mixed[2] = {load_tables(shuffles_.mixed[0]), load_tables(shuffles_.mixed[1])};
  constexpr std::size_t kBatch = 2048;
  std::array<std::uint16_t, kBatch + 32> places;
  for (std::size_t at = 0; at + 3 <= text.size(); at += kBatch) {
    auto const end = std::min(kBatch, text.size() - at);
    std::size_t count = 0, place = 0;
    for (; place < end && text.size() - at - place >= 35; place += 32) {
      count = append_places(places_wide(text.data() + at + place, low, mixed), place, places.data(), count);
    }
    count = keep_known(text.data() + at, places.data(), count);
    for (std::size_t i = 0; i < count; ++i) confirm(text, at + places[i], word_at(text.data() + at + places[i]), hits);
    if (place >= end) continue;
    std::array<char, 64> last{};
    std::memcpy(last.data(), text.data() + at + place, text.size() - at - place);
    count =
        keep_known(last.data(), places.data(), append_places(places_wide(last.data(), low, mixed), 0, places.data(), 0));
    for (std::size_t i = 0; i < count; ++i) confirm(text, at + place + places[i], word_at(last.data() + places[i]), hits);
  }
}

void LiteralFilter::find(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes) const {
  if (lanes == Lanes::avx2) return find_avx2(text, hits);
  find_scalar(text, hits);
}

}  // namespace sallyport::dlp
