#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/byte_mask.hpp"
#include "dlp/decompressor.hpp"
#include "dlp/deflate_head.hpp"
#include "dlp/limits.hpp"
#include "dlp/noise.hpp"
#include "dlp/run_signs.hpp"
#include "dlp/wide_digits.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kSpacedHex = ByteSet::of("0-9a-fA-F:, x+-");  // a form has '+' for a blank
constexpr std::size_t kMinSpacedHex = 3 * 15;
constexpr std::size_t kUnmarkedStarts = 4;
constexpr std::size_t kUnmarkedReach = 64;
constexpr std::size_t kUnmarkedHeadDigits = 64;
constexpr std::size_t kBase85Group = 5;
constexpr std::size_t kBase85Starts = 6;  // of a run, that are decoded

/// A line end between two lines of folded base 64, as bytes or as written in JSON, and the next line's indentation; 0 if
/// there is none.
std::size_t fold_at(std::string_view text) {
  constexpr ByteSet kBlank = ByteSet::of(" \t");
  constexpr std::size_t kMaxIndent = 16;
  if (text.empty() || (text[0] != '\r' && text[0] != '\n' && text[0] != '\\')) return 0;
  for (std::string_view fold : {"\r\n", "\n", "\\r\\n", "\\n"}) {
    if (text.starts_with(fold)) return fold.size() + kBlank.run(text.substr(fold.size(), kMaxIndent));
  }
  return 0;
}

/// The digits of a run and of the lines that continue it, in `digits` if there are such lines. `end` is set to the end of
/// the last.
std::string_view unfold(std::string_view text, Span run, std::string& digits, std::size_t& end) {
  auto first = text.substr(run.begin, run.size());
  end = run.end;
  for (;;) {
    auto fold = fold_at(text.substr(end));
    bool slash = text.substr(end).starts_with("\\/");
    auto next = end + (slash ? 1 : fold);
    auto length = fold == 0 && !slash ? 0 : kAnyBase64.run(text.substr(next));
    if (length == 0) break;
    if (end == run.end) digits = first;
    digits += text.substr(next, length);
    end = next + length;
    if (fold != 0 && length < kMinRun) break;  // the last line
  }
  return end == run.end ? first : std::string_view(digits);
}

/// Decodes runs of digits and passes on what is no noise. Keeps its memory from run to run.
class RunPeeler {
 public:
  explicit RunPeeler(LayerSink const& sink) : sink_(sink) {}

  void peel(std::string_view digits, Span source) {
    static RunFinder const hex(kHex, kMinCodedRun), base32(kBase32, kMinCodedRun), lower_base32(kLowerBase32, kMinCodedRun);
    auto const signs = signs_of_run(digits);
    runs_.clear();
    if (signs.hex) hex.find(digits, runs_);
    for (auto const& run : runs_) peel_hex(digits.substr(run.begin, run.size()), source);
    if (runs_.size() == 1 && runs_[0].size() == digits.size()) return;
    peel_base64(digits, signs, source);
    runs_.clear();
    if (signs.base32) base32.find(digits, runs_);
    if (signs.lower_base32) lower_base32.find(digits, runs_);
    for (auto const& run : runs_) peel_base32(digits.substr(run.begin, run.size()), source);
  }

 private:
  void peel_hex(std::string_view digits, Span source) {
    auto alignments = text_alignments_hex(digits) | 1u;  // the first digit may begin what is no text, too
    for (std::size_t skip = 0; skip < 2; ++skip) {
      if ((alignments >> skip & 1) != 0) pass(Coding::hex, source, decode_hex_run(digits.substr(skip), buffer_), skip);
    }
  }

  /// When one alignment gives text, the others are searched for tokens only. Those that are tried for their text must have some.
  void peel_base64(std::string_view digits, RunSigns const& signs, Span source) {
    auto alignments = signs.text | signs.packed | 1u;
    if (!kBase62.contains(digits[0])) alignments |= 2u;  // a sign in front, as in "/" or "+", is no digit
    std::vector<Layer> found;
    bool text = false;
    for (std::size_t skip = 0; skip < 4; ++skip) {
      if ((alignments >> skip & 1) == 0) continue;
      auto const bytes = decode_base64_run(digits.substr(skip), buffer_);
      if (skip == 0 ? is_noise(bytes) : is_noise_behind(bytes, signs.packed >> skip & 1)) continue;
      bool is_text = !text && is_mostly_text(bytes);
      found.push_back({Coding::base64, source, std::string(bytes), skip, is_text ? Depth::all : Depth::tokens});
      text = text || is_text;
    }
    for (auto& layer : found) {
      if (!text) layer.depth = Depth::all;
      sink_(std::move(layer));
    }
    if (!text) peel_unmarked(digits, source);
  }

  /// What does not begin with the run's first digit is tried for its text, and for the head of a stream if there may be one.
  static bool is_noise_behind(std::string_view bytes, bool may_be_packed) {
    PackedStart start;
    return !has_text_run(bytes) && !(may_be_packed && find_packed(bytes, 0, start));
  }

  /// Brotli and raw deflate: nothing tells them from noise but to unpack them, from where they can begin: in front, and behind the
  /// first signs that may be a path's.
  void peel_unmarked(std::string_view digits, Span source) {
    std::size_t begin = 0;
    for (std::size_t tried = 0; tried < kUnmarkedStarts; ++tried) {
      auto const rest = digits.substr(begin);
      auto const head = decode_base64_run(rest.substr(0, kUnmarkedHeadDigits), buffer_);
      bool const brotli = may_begin_brotli(head, rest.size() * 3 / 4), deflate = begin == 0 && may_begin_deflate(head);
      if (brotli) sink_({Coding::base64, source, std::string(decode_base64_run(rest, buffer_)), begin, Depth::brotli});
      if (deflate) sink_({Coding::base64, source, std::string(decode_base64_run(rest, buffer_)), begin, Depth::deflate});
      auto const slash = digits.substr(0, kUnmarkedReach).find('/', begin);
      if (slash == std::string_view::npos) return;
      begin = slash + 1;
    }
  }

  void peel_base32(std::string_view digits, Span source) {
    for (std::size_t skip = 0; skip < 8; ++skip) {
      buffer_.clear();
      decode_base32(digits.substr(skip), buffer_);
      pass(Coding::base32, source, buffer_, skip);
    }
  }

  void pass(Coding coding, Span source, std::string_view bytes, std::size_t skip) {
    if (!is_noise(bytes)) sink_({coding, source, std::string(bytes), skip, Depth::all});
  }

  LayerSink const& sink_;
  std::vector<Span> runs_;
  std::string buffer_;
};

void peel_base64(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink) {
  std::size_t done = 0;
  std::string folded;
  RunPeeler peeler(sink);
  for (auto const& run : runs) {
    if (run.begin < done) continue;
    auto digits = unfold(text, run, folded, done);
    peeler.peel(digits, {run.begin, done});
  }
}

/// Pairs of digits with the same few bytes between them, from the start of `text` on: "67:68", "67 68", "67, 0x68".
/// `used` is set to the length of what was read.
std::string spaced_pairs(std::string_view text, std::size_t& used) {
  constexpr ByteSet kSeparators = ByteSet::of(":, x+-");
  std::string digits;
  std::string_view separator;
  used = 0;
  while (used + 2 <= text.size() && hex_value(text[used]) >= 0 && hex_value(text[used + 1]) >= 0) {
    digits += text.substr(used, 2);
    used += 2;
    if (separator.empty()) {
      auto length = kSeparators.run(text.substr(used));
      if (text.substr(used + length).starts_with("0x")) length += 2;
      separator = text.substr(used, length);
    }
    if (separator.empty() || !text.substr(used).starts_with(separator)) break;
    used += separator.size();
  }
  return digits;
}

/// The first long series of such pairs.
std::string spaced_hex_digits(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    auto run = kHex.run(text.substr(at));
    if (run != 2) {  // only the last two digits of a longer run can begin a series
      at += run > 2 ? run - 2 : run + 1;
      continue;
    }
    std::size_t used = 0;
    auto digits = spaced_pairs(text.substr(at), used);
    if (digits.size() >= kMinSpacedHex / 3 * 2) return digits;
    ++at;  // a shorter series that ends here may hide the beginning of a longer one
  }
  return {};
}

void peel_spaced_hex(std::string_view text, LayerSink const& sink) {
  static RunFinder const finder(kSpacedHex, kMinSpacedHex);
  std::vector<Span> runs;
  finder.find(text, runs);
  for (auto const& run : runs) {
    auto digits = spaced_hex_digits(text.substr(run.begin, run.size()));
    if (digits.empty()) continue;
    std::string buffer;
    auto const bytes = decode_hex_run(digits, buffer);
    if (!is_noise(bytes)) sink({Coding::hex, run, std::string(bytes), 0, Depth::all});
  }
}

/// A numeral system of 85 digits. Of text, and of the head of a compressed stream, the first digit of a group of five tells
/// the first byte.
struct Base85 {
  Coding coding;
  ByteSet digits;
  ByteSet text_first;
  ByteSet head_first;
  std::optional<std::uint32_t> (*group)(std::string_view digits);
  void (*decode)(std::string_view digits, std::string& out);
};
constexpr Base85 kSystems[] = {
    {Coding::base85, ByteSet::of("!#-&(-+0-9;-Z^-z{-~-"), ByteSet::of("2-4A-Za-e"), ByteSet::of("ADPc"), base85_group, decode_base85},
    {Coding::ascii85, ByteSet::of("!-uz"), ByteSet::of("#-%+-I"), ByteSet::of("+.:G"), ascii85_group, decode_ascii85},
};

/// Whether the four bytes of a group are text.
bool is_text(std::uint32_t group) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    auto const byte = group >> shift & 0xff;
    if ((byte < ' ' || byte > '~') && byte != '\n' && byte != '\r' && byte != '\t') return false;
  }
  return true;
}

/// The first two groups of digits decode to text, or the first to a head of a compressed stream.
bool begins_like_text(Base85 const& system, std::string_view digits) {
  if (digits.size() < 2 * kBase85Group || !system.text_first.contains(digits[0])) return false;
  bool const head = system.head_first.contains(digits[0]), text = system.text_first.contains(digits[kBase85Group]);
  if (!head && !text) return false;
  auto const first = system.group(digits);
  if (!first) return false;
  if (text && is_text(*first)) {
    auto const second = system.group(digits.substr(kBase85Group));
    if (second && is_text(*second)) return true;
  }
  std::array<char, 2> const bytes{static_cast<char>(*first >> 24), static_cast<char>(*first >> 16)};
  return head && find_head_bytes({bytes.data(), bytes.size()}, 0, Lanes::scalar) == 0;
}

/// Digits as a JSON string has them: quotes and backslashes behind a backslash.
std::string without_backslashes(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    bool escape = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
    plain += text[escape ? ++at : at];
  }
  return plain;
}

/// Whether the digits were worth to be decoded.
bool try_base85(Base85 const& system, std::string_view digits, Span source, LayerSink const& sink) {
  if (!begins_like_text(system, digits)) return false;
  Layer layer{system.coding, source, {}, 0, Depth::all};
  if (digits.find('\\') == std::string_view::npos)
    system.decode(digits, layer.bytes);
  else
    system.decode(without_backslashes(digits), layer.bytes);
  if (layer.bytes.size() >= kMinCodedRun / 2 && !is_noise(layer.bytes)) sink(std::move(layer));
  return true;
}

/// Where digits may begin whose first ones are like those of text.
class Base85Starts {
 public:
  explicit Base85Starts(Base85 const& system) : text_(system.text_first), head_(system.head_first) {}

  static constexpr std::size_t kStep = 64 - kBase85Group;

  /// Of the kStep places from `at` on. At the start of a run or a few bytes behind it, and behind signs that are digits, too:
  /// `key=`, `<b>`, "`".
  std::uint64_t in(std::string_view text, Span run, std::size_t at) const {
    static ByteMask const signs(ByteSet::of("=>`(;&\"':"));
    auto const count = std::min<std::size_t>(64, run.end - at);
    auto const of = [&](ByteMask const& mask) { return mask.of(text.data() + at, count, best_lanes()); };
    auto const first_text = of(text_);
    bool const is_start = at == run.begin, behind_sign = !is_start && signs.of(text.data() + at - 1, 1, best_lanes()) != 0;
    auto const starts = of(signs) << 1 | (is_start ? (1u << kBase85Group) - 1 : behind_sign ? 1u : 0u);
    auto const in_step = (std::uint64_t{1} << kStep) - 1;
    return starts & first_text & (of(head_) | first_text >> kBase85Group) & in_step;
  }

 private:
  ByteMask text_;
  ByteMask head_;
};

void try_starts(Base85 const& system, Base85Starts const& starts, std::string_view text, Span run, LayerSink const& sink) {
  std::size_t tried = 0;
  for (auto at = run.begin; at + kMinCodedRun <= run.end; at += Base85Starts::kStep) {
    for (auto places = starts.in(text, run, at); places != 0; places &= places - 1) {
      auto const begin = at + static_cast<std::size_t>(std::countr_zero(places));
      tried += try_base85(system, text.substr(begin, run.end - begin), run, sink) ? 1 : 0;
      if (tried == kBase85Starts) return;
    }
  }
}

/// Digits of base 64 alone are left to that.
void peel_base85(std::string_view text, std::vector<Span> const& base64, LayerSink const& sink) {
  static RunFinder const finders[] = {{kSystems[0].digits, kMinCodedRun}, {kSystems[1].digits, kMinCodedRun}};
  static Base85Starts const starts[] = {Base85Starts(kSystems[0]), Base85Starts(kSystems[1])};
  std::vector<Span> runs;
  for (std::size_t i = 0; i < std::size(kSystems); ++i) {
    runs.clear();
    finders[i].find(text, runs);
    auto covering = base64.begin();
    for (auto const& run : runs) {
      while (covering != base64.end() && covering->end < run.end) ++covering;
      if (covering == base64.end() || covering->begin > run.begin) try_starts(kSystems[i], starts[i], text, run, sink);
    }
  }
}

/// Digits, and what may stand between them.
void peel_ascii85(std::string_view text, LayerSink const& sink) {
  constexpr ByteSet kPart = ByteSet::of("!-u z\r\n\t");
  for (auto begin = text.find("<~"); begin != std::string_view::npos; begin = text.find("<~", begin + 2)) {
    auto const digits = text.substr(begin + 2, kPart.run(text.substr(begin + 2)));
    auto const end = begin + 2 + digits.size();
    std::vector<std::string> spellings = {std::string(digits)};
    if (digits.find('\\') != std::string_view::npos) spellings.push_back(without_backslashes(digits));
    for (auto const& spelling : spellings) {
      Layer layer{Coding::ascii85, {begin, end}, {}, 0, Depth::all};
      decode_ascii85(spelling, layer.bytes);
      if (!is_noise(layer.bytes)) sink(std::move(layer));
    }
    if (end == text.size()) return;
    begin = end;
  }
}

/// "\n" is not a backslash and a digit.
bool follows_escape(std::string_view text, Span run) {
  constexpr ByteSet kEscaped = ByteSet::of("nrtbf");
  return run.begin > 0 && text[run.begin - 1] == '\\' && kEscaped.contains(text[run.begin]);
}

}  // namespace

std::vector<Span> digit_runs(std::string_view text) {
  static RunFinder const finder(kAnyBase64, kMinCodedRun);
  std::vector<Span> runs;
  finder.find(text, runs);
  for (auto& run : runs) run.begin += follows_escape(text, run) ? 1 : 0;
  return runs;
}

void peel_numerals(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink) {
  peel_base64(text, runs, sink);
  peel_spaced_hex(text, sink);
  peel_base85(text, runs, sink);
  peel_ascii85(text, sink);
}

}  // namespace sallyport::dlp
