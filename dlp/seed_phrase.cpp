#include "dlp/seed_phrase.hpp"

#include "dlp/byte_set.hpp"
#include "dlp/digest.hpp"
#include "dlp/run_finder.hpp"
#include "dlp/seed_words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kListSize = 2048, kWordBits = 11, kMinWords = 12;
constexpr std::size_t kShortest = 3, kLongest = 8;  // letters of a word
constexpr std::size_t kMinBytes = kMinWords * (kShortest + 1) - 1;
constexpr std::array<std::size_t, 5> kLengths = {24, 21, 18, 15, 12};
constexpr ByteSet kLetter = ByteSet::of("A-Za-z"), kPhrase = ByteSet::of("A-Za-z ,\t\r\n+_-");
constexpr std::size_t kMaxApart = 4;

using List = std::array<std::string_view, kListSize>;

List const& list() {
  static List const words = [] {
    List split;
    auto rest = seed_words();
    for (auto& word : split) {
      word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    return split;
  }();
  return words;
}

/// The numbers of the list's words, by their letters: of eight at most, so that a word is a number.
class Numbers {
 public:
  Numbers() {
    for (std::uint16_t number = 0; number < list().size(); ++number) {
      auto const key = key_of(list()[number]);
      auto slot = slot_of(key);
      while (keys_[slot] != 0) slot = (slot + 1) % kSlots;
      keys_[slot] = key;
      numbers_[slot] = number;
    }
  }

  std::optional<std::uint16_t> find(std::string_view word) const {
    auto const key = key_of(word);
    for (auto slot = slot_of(key); keys_[slot] != 0; slot = (slot + 1) % kSlots) {
      if (keys_[slot] == key) return numbers_[slot];
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kSlots = 4 * kListSize;

  static std::uint64_t key_of(std::string_view word) {
    std::uint64_t key = 0;
    std::memcpy(&key, word.data(), word.size());
    return key | (0x2020202020202020 >> (8 * (8 - word.size())));  // small letters
  }
  static std::size_t slot_of(std::uint64_t key) { return key * 0x9e3779b97f4a7c15 >> 51; }
  static_assert(kSlots == std::size_t{1} << (64 - 51));

  std::array<std::uint64_t, kSlots> keys_{};
  std::array<std::uint16_t, kSlots> numbers_{};
};

std::optional<std::uint16_t> number_of(std::string_view word) {
  static Numbers const numbers;
  if (word.size() < kShortest || word.size() > kLongest) return std::nullopt;
  return numbers.find(word);
}

/// The words of `run`, and where each stands in the text.
std::vector<Span> words_of(std::string_view text, Span run) {
  std::vector<Span> words;
  for (auto at = run.begin; at < run.end;) {
    auto const length = kLetter.run(text.substr(at, run.end - at));
    if (length > 0) words.push_back({at, at + length});
    at += std::max<std::size_t>(length, 1);
  }
  return words;
}

/// BIP-39: the bits of all words are the entropy, and for each 32 bits of it one of SHA-256(entropy).
bool has_checksum(std::vector<std::uint16_t> const& numbers) {
  auto const bits = numbers.size() * kWordBits;
  auto const checksum = bits / 33, entropy = bits - checksum;
  auto const bit = [&](std::size_t index) { return numbers[index / kWordBits] >> (kWordBits - 1 - index % kWordBits) & 1; };
  std::string bytes(entropy / 8, '\0');
  for (std::size_t i = 0; i < entropy; ++i) bytes[i / 8] = static_cast<char>(bytes[i / 8] | bit(i) << (7 - i % 8));
  auto const digest = sha256(bytes);
  for (std::size_t i = 0; i < checksum; ++i) {
    if ((digest[i / 8] >> (7 - i % 8) & 1) != bit(entropy + i)) return false;
  }
  return true;
}

/// "test test … junk", "abandon abandon … about": what documentation and tests print.
bool is_stand_in(std::vector<std::uint16_t> numbers) {
  constexpr std::size_t kMinDistinct = 6;
  std::sort(numbers.begin(), numbers.end());
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin()) < kMinDistinct;
}

/// Whether the words from `first` on stand close enough together.
bool is_close(std::vector<Span> const& words, std::size_t index) {
  return words[index].begin - words[index - 1].end <= kMaxApart;
}

/// How many words of the list stand one after another from `first` on, as far as the longest phrase reaches.
std::vector<std::uint16_t> listed_from(std::string_view text, std::vector<Span> const& words, std::size_t first) {
  std::vector<std::uint16_t> numbers;
  for (auto i = first; i < words.size() && numbers.size() < kLengths.front(); ++i) {
    auto const number = number_of(text.substr(words[i].begin, words[i].size()));
    if (!number || (i > first && !is_close(words, i))) break;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The longest phrase that begins with the first of them, in words; 0 if none does.
std::size_t phrase_length(std::vector<std::uint16_t> numbers) {
  for (auto const length : kLengths) {
    if (numbers.size() < length) continue;
    numbers.resize(length);
    if (has_checksum(numbers) && !is_stand_in(numbers)) return length;
  }
  return 0;
}

/// The words of a stretch, all of the list but for those at its ends.
void find_in_stretch(std::string_view text, Span stretch, std::vector<Span>& found) {
  auto const words = words_of(text, stretch);
  for (std::size_t first = 0; first + kMinWords <= words.size();) {
    auto const length = phrase_length(listed_from(text, words, first));
    if (length > 0) found.push_back({words[first].begin, words[first + length - 1].end});
    first += std::max<std::size_t>(length, 1);
  }
}

/// The first word that begins at or after `at`; empty if none does.
Span word_from(std::string_view text, Span run, std::size_t at) {
  if (at > run.begin && kLetter.contains(text[at - 1])) at += kLetter.run(text.substr(at, run.end - at));
  while (at < run.end && !kLetter.contains(text[at])) ++at;
  return {at, at + kLetter.run(text.substr(at, std::min(run.end - at, kLongest + 1)))};
}

bool is_listed(std::string_view text, Span word) { return number_of(text.substr(word.begin, word.size())).has_value(); }

/// The words of the list that stand around this one, which is one of them, no further back than `from`.
Span listed_around(std::string_view text, Span run, Span word, std::size_t from) {
  Span around = word;
  for (auto next = word; next.size() > 0 && is_listed(text, next); next = word_from(text, run, next.end)) around.end = next.end;
  for (auto end = word.begin; end > from;) {
    while (end > from && !kLetter.contains(text[end - 1])) --end;
    auto const length = kLetter.run_back(text.substr(from, end - from));
    if (!is_listed(text, {end - length, end})) break;
    around.begin = end -= length;
  }
  return around;
}

/// Twelve words reach over more than kStep bytes and a word, so one of them is the first behind a place that is looked at.
void find_in_run(std::string_view text, Span run, std::vector<Span>& found) {
  constexpr std::size_t kStep = 36;
  static_assert(kStep <= (kMinWords - 1) * (kShortest + 1), "a phrase's last word begins behind the next place");
  for (auto at = run.begin, from = run.begin; at < run.end; at += kStep) {
    auto const word = word_from(text, run, at);
    at = word.begin;  // what is passed by is not looked at again
    if (!is_listed(text, word)) continue;
    auto const around = listed_around(text, run, word, from);
    if (around.size() >= kMinBytes) find_in_stretch(text, around, found);
    from = around.end;
    at = std::max(at, around.end);
  }
}

}  // namespace

std::vector<Span> find_seed_phrases(std::string_view text) {
  static RunFinder const finder(kPhrase, kMinBytes);
  std::vector<Span> runs, found;
  finder.find(text, runs);
  for (auto const& run : runs) find_in_run(text, run, found);
  return found;
}

bool is_seed_phrase(std::string_view phrase) {
  auto const found = find_seed_phrases(phrase);
  return found.size() == 1 && found[0].size() == phrase.size();
}

std::string to_seed_phrase(std::string_view entropy) {
  auto const digest = sha256(entropy);
  auto const checksum = entropy.size() * 8 / 32, bits = entropy.size() * 8;
  auto const bit = [&](std::size_t i) {
    auto const byte = i < bits ? static_cast<unsigned char>(entropy[i / 8]) : digest[(i - bits) / 8];
    return byte >> (7 - i % 8) & 1;
  };
  std::string phrase;
  for (std::size_t word = 0; word < (bits + checksum) / kWordBits; ++word) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < kWordBits; ++i) number = number << 1 | static_cast<std::size_t>(bit(word * kWordBits + i));
    if (!phrase.empty()) phrase += ' ';
    phrase += list()[number];
  }
  return phrase;
}

}  // namespace sallyport::dlp
