#include "dlp/known_values.hpp"

#include "base/ascii.hpp"
#include "dlp/plausible.hpp"
#include "dlp/rule_set.hpp"

#include <algorithm>
#include <cstring>

namespace sallyport::dlp {
namespace {

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

/// A keyed fingerprint of eight bytes.
inline std::uint64_t KnownValues::gram(char const* bytes) const { return (load(bytes) ^ keys_[1]) * keys_[0]; }

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


std::uint64_t KnownValues::piece(char const* bytes) const {
  return mix(mix(load(bytes) ^ keys_[1], keys_[2]) ^ load(bytes + 8), keys_[3] ^ keys_[0]);
}

void KnownValues::add(KnownValue const& known, std::string_view value, std::vector<Coding> codings) {
  auto index = entries_.size();
  entries_.push_back({known.name, known.kind, std::move(codings), value.size(), value_digest(salt_, value)});
  if (value.size() < kPieceBytes) {
    short_grams_.add(gram(value.data()));
    starts_[gram(value.data())].push_back(index);
    return;
  }
  for (std::size_t offset = 0; offset + kMinBytes <= value.size(); ++offset) long_grams_.add(gram(value.data() + offset));
  for (std::size_t offset = 0; offset + kPieceBytes <= value.size(); ++offset) {
    pieces_.emplace(piece(value.data() + offset), Place{index, offset});
  }
}

bool KnownValues::is_whole(std::string_view text, std::size_t begin, std::size_t value) const {
  auto const& entry = entries_[value];
  return begin + entry.length <= text.size() && value_digest(salt_, text.substr(begin, entry.length)) == entry.digest;
}

/// A long value of which a piece begins at `at`, or else the piece.
std::optional<KnownHit> KnownValues::piece_at(std::string_view text, std::size_t at) const {
  if (at + kPieceBytes > text.size()) return std::nullopt;
  auto const found = pieces_.find(piece(text.data() + at));
  if (found == pieces_.end()) return std::nullopt;
  auto const& [value, offset] = found->second;
  bool const whole = offset <= at && is_whole(text, at - offset, value);
  return whole ? KnownHit{at - offset, at - offset + entries_[value].length, value} : KnownHit{at, at + kPieceBytes, value};
}

/// The first piece that the 8 bytes at `gram` are a part of.
std::optional<KnownHit> KnownValues::piece_around(std::string_view text, std::size_t gram) const {
  auto const reach = std::min(gram, kPieceBytes - kMinBytes);
  for (auto at = gram - reach; at <= gram; ++at) {
    if (auto hit = piece_at(text, at)) return hit;
  }
  return std::nullopt;
}

/// Of any sixteen bytes one of every eight places begins eight, so only these are looked at.
void KnownValues::find_long(std::string_view text, std::vector<KnownHit>& hits) const {
  for (std::size_t at = 0; at + kMinBytes <= text.size();) {
    auto const hit = long_grams_.may_have(gram(text.data() + at)) ? piece_around(text, at) : std::nullopt;
    if (hit) hits.push_back(*hit);
    at = hit ? std::max(hit->end, at + 1) : at + kMinBytes;
  }
}

std::optional<KnownHit> KnownValues::short_at(std::string_view text, std::size_t at) const {
  auto const found = starts_.find(gram(text.data() + at));
  if (found == starts_.end()) return std::nullopt;
  for (auto value : found->second) {
    if (is_whole(text, at, value)) return KnownHit{at, at + entries_[value].length, value};
  }
  return std::nullopt;
}

/// Every place is looked at: what that takes is all at hand.
void KnownValues::find_short(std::string_view text, std::vector<KnownHit>& hits) const {
  auto const factor = keys_[0], turn = keys_[1];
  auto const grams = short_grams_.view();
  for (std::size_t at = 0; at + kMinBytes <= text.size(); ++at) {
    if (!grams.may_have((load(text.data() + at) ^ turn) * factor)) continue;
    auto const hit = short_at(text, at);
    if (!hit) continue;
    hits.push_back(*hit);
    at = hit->end - 1;
  }
}

void KnownValues::find(std::string_view text, std::vector<KnownHit>& hits) const {
  if (!long_grams_.empty()) find_long(text, hits);
  if (!short_grams_.empty()) find_short(text, hits);
}

}  // namespace sallyport::dlp
