#pragma once
// Secrets that are known by their value, and canaries: planted values that nothing may ever send. Immutable after it is
// made; any thread. Holds salted digests and keyed fingerprints only, never a value.
// A value of 16 bytes or more is found whole and in any piece of 16 bytes; a shorter one (8 to 15) whole; either also
// reversed, in rot13, and in small letters, as in host names.

#include "dlp/digest.hpp"
#include "dlp/finding.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sallyport::dlp {

enum class KnownKind {
  secret,
  passed,  // a secret that was given to the sender on purpose
  canary,
  credential,  // a placeholder or its real value: where it may go is decided elsewhere
};

/// The id that findings of this kind have.
std::string_view detector_of(KnownKind kind);

struct KnownValue {
  std::string name;   // of the variable or file; appears in findings
  std::string value;  // not kept
  KnownKind kind = KnownKind::secret;
};

struct KnownHit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t value = 0;  // index, see KnownValues::name
};

/// Which fingerprints of 8 bytes there may be.
class GramSet {
 public:
  /// So many bits of a fingerprint are looked at.
  explicit GramSet(unsigned bits) : shift_(64 - bits), words_((std::size_t{1} << bits) / 64) {}
  void add(std::uint64_t gram) {
    words_[(gram >> shift_) / 64] |= std::uint64_t{1} << (gram >> shift_) % 64;
    empty_ = false;
  }
  /// For a loop: without a look at the set's own members each time. Valid as long as the set.
  struct View {
    std::uint64_t const* words;
    unsigned shift;
    bool may_have(std::uint64_t gram) const { return (words[(gram >> shift) / 64] >> (gram >> shift) % 64 & 1) != 0; }
  };
  View view() const { return {words_.data(), shift_}; }
  bool may_have(std::uint64_t gram) const { return view().may_have(gram); }
  bool empty() const { return empty_; }

 private:
  unsigned shift_;
  std::vector<std::uint64_t> words_;
  bool empty_ = true;
};

class KnownValues {
 public:
  KnownValues() = default;
  /// Values shorter than kMinBytes, and such as `true` or a path that many texts hold, are left out; see skipped().
  KnownValues(std::vector<KnownValue> const& values, std::string salt);

  /// These, and one more.
  KnownValues with(KnownValue const& value) const;

  void find(std::string_view text, std::vector<KnownHit>& hits) const;

  bool empty() const { return entries_.empty(); }
  bool holds(KnownKind kind) const;
  std::string const& name(std::size_t value) const { return entries_[value].name; }
  KnownKind kind(std::size_t value) const { return entries_[value].kind; }
  std::vector<Coding> const& codings(std::size_t value) const { return entries_[value].codings; }
  /// Names of the values that are not looked for.
  std::vector<std::string> const& skipped() const { return skipped_; }

  static constexpr std::size_t kMinBytes = 8;
  static constexpr std::size_t kPieceBytes = 16;

 private:
  struct Entry {
    std::string name;
    KnownKind kind = KnownKind::secret;
    std::vector<Coding> codings;  // reversed or rot13: such forms are values of their own
    std::size_t length = 0;
    ValueDigest digest{};
  };
  struct Place {
    std::size_t value = 0;
    std::size_t offset = 0;  // of the fingerprinted bytes in the value
  };

  void take(KnownValue const& value);
  void add(KnownValue const& known, std::string_view value, std::vector<Coding> codings);
  std::uint64_t gram(char const* bytes) const;
  std::uint64_t piece(char const* bytes) const;
  void find_long(std::string_view text, std::vector<KnownHit>& hits) const;
  void find_short(std::string_view text, std::vector<KnownHit>& hits) const;
  std::optional<KnownHit> piece_at(std::string_view text, std::size_t at) const;
  std::optional<KnownHit> piece_around(std::string_view text, std::size_t gram) const;
  std::optional<KnownHit> short_at(std::string_view text, std::size_t at) const;
  bool is_whole(std::string_view text, std::size_t begin, std::size_t value) const;

  std::string salt_;
  std::array<std::uint64_t, 4> keys_{};
  std::vector<Entry> entries_;
  std::vector<std::string> skipped_;
  GramSet long_grams_{18};                           // every 8 bytes of long values
  GramSet short_grams_{16};                          // the first 8 of short ones
  std::unordered_map<std::uint64_t, Place> pieces_;  // 16-byte windows of long values
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> starts_;  // first 8 bytes of short values
};

}  // namespace sallyport::dlp
