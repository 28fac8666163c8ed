#include "dlp/literal_filter.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sallyport::dlp {
namespace {

bool equal(std::string_view a, std::string_view b, Case letter_case) {
  if (letter_case == Case::exact) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return small_letter(x) == small_letter(y); });
}

double rarity(Literal const& literal, std::size_t offset, std::size_t width) {
  double product = 1;
  for (char c : std::string_view(literal.text).substr(offset, width)) {
    product *= byte_frequency(small_letter(c)) * (literal.letter_case == Case::exact && small_letter(c) == c ? 1.0 : 0.5);
    if (literal.letter_case == Case::ignored) product *= 2;
  }
  return product;
}

/// Where the rarest window of a literal begins.
std::size_t rarest_window(Literal const& literal) {
  std::size_t width = std::min(literal.text.size(), LiteralWindows::kWindow);
  std::size_t best = 0;
  for (std::size_t offset = 1; offset + width <= literal.text.size(); ++offset) {
    if (rarity(literal, offset, width) < rarity(literal, best, width)) best = offset;
  }
  return best;
}

/// REQUIRES four bytes.
std::uint32_t word_at(char const* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

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

  std::vector<Window> windows;
  for (auto index : order) {
    auto const& [text, letter_case] = filter.literals_[index];
    check(text.size() >= 3, "a literal has three bytes or more");
    windows.push_back({std::string_view(text).substr(offsets[index], kWindow), letter_case});
    filter.add_window(index, offsets[index]);
  }
  filter.windows_ = LiteralWindows(windows);
  return filter;
}

/// One entry for each spelling of the window's bytes.
void LiteralFilter::add_window(std::uint16_t literal, std::size_t offset) {
  auto const& [text, letter_case] = literals_[literal];
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

/// The window at `at`, of which the text may end before the fourth byte.
void LiteralFilter::confirm_at(std::string_view text, std::size_t at, std::vector<LiteralHit>& hits) const {
  std::uint32_t word = 0;
  std::memcpy(&word, text.data() + at, std::min<std::size_t>(4, text.size() - at));
  confirm(text, at, word, hits);
}

/// One step at a time for some kilobytes: the places that pass a group, then those of them whose window is known, then
/// these in full. Branches on single places would cost more than all of the rest.
void LiteralFilter::find_wide(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes) const {
  std::array<std::uint16_t, LiteralWindows::kRoom> places;
  for (std::size_t at = 0; at + 3 <= text.size(); at += LiteralWindows::kBatch) {
    auto const rest = text.substr(at);
    auto count = windows_.find(rest, places.data(), lanes);
    bool const at_end = count > 0 && places[count - 1] + 4u > rest.size();  // whose window has three bytes
    if (at_end) --count;
    auto const last = places[count];
    count = keep_known(rest.data(), places.data(), count);
    for (std::size_t i = 0; i < count; ++i) confirm(text, at + places[i], word_at(rest.data() + places[i]), hits);
    if (at_end) confirm_at(text, at + last, hits);
  }
}

void LiteralFilter::find(std::string_view text, std::vector<LiteralHit>& hits, Lanes lanes) const {
  if (lanes != Lanes::scalar) return find_wide(text, hits, lanes);
  for (std::size_t at = 0; at + 3 <= text.size(); ++at) confirm_at(text, at, hits);
}

}  // namespace sallyport::dlp
