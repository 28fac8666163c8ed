#include "dlp/known_values.hpp"

#include "base/ascii.hpp"
#include "dlp/plausible.hpp"
#include "dlp/rule_set.hpp"

#include <algorithm>
#include <cstring>

namespace sallyport::dlp {
namespace {

constexpr unsigned kBitmapBits = 16;
constexpr std::size_t kMaxValueBytes = 64 * 1024;

std::uint64_t load(char const* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// A multiplication whose two halves are folded together.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  auto product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::string_view detector_of(KnownKind kind) {
  switch (kind) {
    case KnownKind::secret:
    case KnownKind::passed:
      return "known-value";
    case KnownKind::canary:
      return "canary";
    case KnownKind::credential:
      return "credential";
  }
  return "known-value";
}

KnownValues::KnownValues(std::vector<KnownValue> const& values, std::string salt) : salt_(std::move(salt)) {
  auto material = sha256(salt_ + "fingerprint keys");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    std::memcpy(&keys_[i], material.data() + 8 * i, 8);
    keys_[i] |= 1;
  }
  bitmap_.resize((std::size_t{1} << kBitmapBits) / 64);
  for (auto const& value : values) take(value);
}

KnownValues KnownValues::with(KnownValue const& value) const {
  auto more = *this;
  more.take(value);
  return more;
}

void KnownValues::take(KnownValue const& value) {
  bool usable = value.value.size() >= kMinBytes && value.value.size() <= kMaxValueBytes && entropy(value.value) >= 2.0;
  if (!usable) return skipped_.push_back(value.name);
  add(value, value.value, {});
  add(value, std::string(value.value.rbegin(), value.value.rend()), {Coding::reversed});
  add(value, rot13(value.value), {Coding::rot13});
  auto const small = lower_case(value.value);  // what host names make of it
  if (small != value.value) add(value, small, {});
}

bool KnownValues::holds(KnownKind kind) const {
  return std::any_of(entries_.begin(), entries_.end(), [kind](Entry const& entry) { return entry.kind == kind; });
}

std::uint64_t KnownValues::gram(char const* bytes) const { return (load(bytes) ^ keys_[1]) * keys_[0]; }

std::uint64_t KnownValues::piece(char const* bytes) const {
  return mix(mix(load(bytes) ^ keys_[1], keys_[2]) ^ load(bytes + 8), keys_[3] ^ keys_[0]);
}

void KnownValues::add(KnownValue const& known, std::string_view value, std::vector<Coding> codings) {
  auto index = entries_.size();
  entries_.push_back({known.name, known.kind, std::move(codings), value.size(), value_digest(salt_, value)});
  auto mark = [&](char const* bytes) {
    auto bit = gram(bytes) >> (64 - kBitmapBits);
    bitmap_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  };
  if (value.size() < kPieceBytes) {
    mark(value.data());
    starts_[gram(value.data())].push_back(index);
    return;
  }
  for (std::size_t offset = 0; offset + kPieceBytes <= value.size(); ++offset) {
    mark(value.data() + offset);
    pieces_.emplace(piece(value.data() + offset), Place{index, offset});
  }
}

bool KnownValues::is_whole(std::string_view text, std::size_t begin, std::size_t value) const {
  auto const& entry = entries_[value];
  return begin + entry.length <= text.size() && value_digest(salt_, text.substr(begin, entry.length)) == entry.digest;
}

/// Whether a known value, or a piece of one, begins at `at`.
bool KnownValues::confirm(std::string_view text, std::size_t at, KnownHit& hit) const {
  if (at + kPieceBytes <= text.size()) {
    auto found = pieces_.find(piece(text.data() + at));
    if (found != pieces_.end()) {
      auto const& [value, offset] = found->second;
      bool whole = offset <= at && is_whole(text, at - offset, value);
      hit = whole ? KnownHit{at - offset, at - offset + entries_[value].length, value}
                  : KnownHit{at, at + kPieceBytes, value};
      return true;
    }
  }
  auto found = starts_.find(gram(text.data() + at));
  if (found == starts_.end()) return false;
  for (auto value : found->second) {
    hit = {at, at + entries_[value].length, value};
    if (is_whole(text, at, value)) return true;
  }
  return false;
}

void KnownValues::find(std::string_view text, std::vector<KnownHit>& hits) const {
  if (empty()) return;
  for (std::size_t at = 0; at + kMinBytes <= text.size(); ++at) {
    auto bit = gram(text.data() + at) >> (64 - kBitmapBits);
    if ((bitmap_[bit / 64] >> (bit % 64) & 1) == 0) continue;
    KnownHit hit;
    if (!confirm(text, at, hit)) continue;
    hits.push_back(hit);
    at = std::max(at, hit.end - 1);
  }
}

}  // namespace sallyport::dlp
