#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/decompressor.hpp"
#include "dlp/limits.hpp"
#include "dlp/noise.hpp"
#include "dlp/wide_digits.hpp"

#include <algorithm>
#include <array>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kSpacedHex = ByteSet::of("0-9a-fA-F:, x-");
constexpr std::size_t kMinSpacedHex = 3 * 15;
constexpr std::size_t kBrotliStarts = 4;
constexpr std::size_t kBrotliReach = 64;
constexpr std::size_t kBrotliHeadDigits = 12;
constexpr std::size_t kBase85Group = 5;
constexpr std::size_t kBase85Starts = 6;  // behind so many signs that can end what stands in front

/// A line end between two lines of folded base 64, as bytes or as written in JSON, and the next line's indentation; 0 if
/// there is none.
std::size_t fold_at(std::string_view text) {
  constexpr ByteSet kBlank = ByteSet::of(" \t");
  constexpr std::size_t kMaxIndent = 16;
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
    if (fold != 0 && length < RunFinder::kMinRun) break;  // the last line
  }
  return end == run.end ? first : std::string_view(digits);
}

/// Decodes runs of digits and passes on what is no noise. Keeps its memory from run to run.
class RunPeeler {
 public:
  explicit RunPeeler(LayerSink const& sink) : sink_(sink) {}

  void peel(std::string_view digits, Span source) {
    static RunFinder const hex(kHex, kMinCodedRun), base32(kBase32, kMinCodedRun), lower_base32(kLowerBase32, kMinCodedRun);
    runs_.clear();
    hex.find(digits, runs_);
    for (auto const& run : runs_) peel_hex(digits.substr(run.begin, run.size()), source);
    if (runs_.size() == 1 && runs_[0].size() == digits.size()) return;
    peel_base64(digits, source);
    runs_.clear();
    base32.find(digits, runs_);
    lower_base32.find(digits, runs_);
    for (auto const& run : runs_) peel_base32(digits.substr(run.begin, run.size()), source);
  }

 private:
  void peel_hex(std::string_view digits, Span source) {
    auto alignments = text_alignments_hex(digits) | 1u;  // the first digit may begin what is no text, too
    for (std::size_t skip = 0; skip < 2; ++skip) {
      if ((alignments >> skip & 1) == 0) continue;
      decode_hex_run(digits.substr(skip), bytes_);
      pass({Coding::hex, source, {}, skip, Depth::all});
    }
  }

  /// When one alignment gives text, the others are searched for tokens only.
  void peel_base64(std::string_view digits, Span source) {
    auto alignments = text_alignments_base64(digits) | packed_alignments_base64(digits) | 1u;
    if (!kBase62.contains(digits[0])) alignments |= 2u;  // a sign in front, as in "/" or "+", is no digit
    std::vector<Layer> found;
    bool text = false;
    for (std::size_t skip = 0; skip < 4; ++skip) {
      if ((alignments >> skip & 1) == 0) continue;
      decode_base64_run(digits.substr(skip), bytes_);
      if (is_noise(bytes_)) continue;
      bool is_text = !text && is_mostly_text(bytes_);
      found.push_back({Coding::base64, source, bytes_, skip, is_text ? Depth::all : Depth::tokens});
      text = text || is_text;
    }
    for (auto& layer : found) {
      if (!text) layer.depth = Depth::all;
      sink_(std::move(layer));
    }
    if (!text) peel_brotli(digits, source);
  }

  /// Nothing tells it from noise but to unpack it, from where it can begin: in front, and behind the first signs that may be a path's.
  void peel_brotli(std::string_view digits, Span source) {
    std::size_t begin = 0;
    for (std::size_t tried = 0; tried < kBrotliStarts; ++tried) {
      auto const rest = digits.substr(begin);
      decode_base64_run(rest.substr(0, kBrotliHeadDigits), bytes_);
      if (may_begin_brotli(bytes_, rest.size() * 3 / 4)) {
        decode_base64_run(rest, bytes_);
        sink_({Coding::base64, source, bytes_, begin, Depth::brotli});
      }
      auto const slash = digits.substr(0, kBrotliReach).find('/', begin);
      if (slash == std::string_view::npos) return;
      begin = slash + 1;
    }
  }

  void peel_base32(std::string_view digits, Span source) {
    for (std::size_t skip = 0; skip < 8; ++skip) {
      bytes_.clear();
      decode_base32(digits.substr(skip), bytes_);
      pass({Coding::base32, source, {}, skip, Depth::all});
    }
  }

  void pass(Layer layer) {
    if (is_noise(bytes_)) return;
    layer.bytes = bytes_;
    sink_(std::move(layer));
  }

  LayerSink const& sink_;
  std::vector<Span> runs_;
  std::string bytes_;
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
  constexpr ByteSet kSeparators = ByteSet::of(":, x-");
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
    Layer layer{Coding::hex, run, {}, 0, Depth::all};
    decode_hex_run(digits, layer.bytes);
    if (!is_noise(layer.bytes)) sink(std::move(layer));
  }
}

/// A numeral system of 85 digits. Of text, and of the head of a compressed stream, the first digit of a group of five tells
/// the first byte.
struct Base85 {
  Coding coding;
  ByteSet digits;
  ByteSet text_first;
  ByteSet head_first;
  void (*decode)(std::string_view digits, std::string& out);
};
constexpr Base85 kSystems[] = {
    {Coding::base85, ByteSet::of("!#-&(-+0-9;-Z^-z{-~-"), ByteSet::of("2-4A-Za-e"), ByteSet::of("ADPc"), decode_base85},
    {Coding::ascii85, ByteSet::of("!-uz"), ByteSet::of("#-%+-I"), ByteSet::of("+.:G"), decode_ascii85},
};

/// The first two groups of digits decode to text, or the first to a head of a compressed stream.
bool begins_like_text(Base85 const& system, std::string_view digits) {
  if (digits.size() < 2 * kBase85Group || !system.text_first.contains(digits[0])) return false;
  bool const head = system.head_first.contains(digits[0]);
  if (!head && !system.text_first.contains(digits[kBase85Group])) return false;
  std::string bytes;  // short: on the stack
  auto const is_text = [&bytes] {
    return std::all_of(bytes.begin(), bytes.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; });
  };
  system.decode(digits.substr(0, kBase85Group), bytes);
  if (!head && !is_text()) return false;  // nearly all end here
  bytes.clear();
  system.decode(digits.substr(0, 2 * kBase85Group), bytes);
  return (bytes.size() >= 8 && is_text()) || find_head_bytes(bytes, 0) == 0;
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

void try_base85(Base85 const& system, std::string_view digits, Span source, LayerSink const& sink) {
  if (!begins_like_text(system, digits)) return;
  Layer layer{system.coding, source, {}, 0, Depth::all};
  if (digits.find('\\') == std::string_view::npos)
    system.decode(digits, layer.bytes);
  else
    system.decode(without_backslashes(digits), layer.bytes);
  if (layer.bytes.size() >= kMinCodedRun / 2 && !is_noise(layer.bytes)) sink(std::move(layer));
}

/// Digits may begin at the start of a run or a few bytes behind it, and behind signs that are digits, too: `key=`, `<b>`,
/// "`".
void try_starts(Base85 const& system, std::string_view text, Span run, LayerSink const& sink) {
  constexpr ByteSet kSigns = ByteSet::of("=>`(;&\"':");
  auto const digits = text.substr(run.begin, run.size());
  for (std::size_t skip = 0; skip < kBase85Group; ++skip) try_base85(system, digits.substr(skip), run, sink);
  std::size_t signs = 0;
  for (auto at = kBase85Group - 1; at + kMinCodedRun < digits.size() && signs < kBase85Starts; ++at) {
    if (!kSigns.contains(digits[at])) continue;
    ++signs;
    try_base85(system, digits.substr(at + 1), run, sink);
  }
}

void peel_base85(std::string_view text, LayerSink const& sink) {
  static RunFinder const base64(kAnyBase64, kMinCodedRun);
  static RunFinder const finders[] = {{kSystems[0].digits, kMinCodedRun}, {kSystems[1].digits, kMinCodedRun}};
  std::vector<Span> runs;
  for (std::size_t i = 0; i < std::size(kSystems); ++i) {
    runs.clear();
    finders[i].find(text, runs);
    for (auto const& run : runs) {
      if (!base64.covers(text.substr(run.begin, run.size()))) try_starts(kSystems[i], text, run, sink);
    }
  }
}

void peel_ascii85(std::string_view text, LayerSink const& sink) {
  for (auto begin = text.find("<~"); begin != std::string_view::npos; begin = text.find("<~", begin + 2)) {
    auto end = std::min(text.find("~>", begin + 2), text.size());
    auto digits = text.substr(begin + 2, end - begin - 2);
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

}  // namespace

std::vector<Span> digit_runs(std::string_view text) {
  static RunFinder const finder(kAnyBase64, kMinCodedRun);
  std::vector<Span> runs;
  finder.find(text, runs);
  return runs;
}

void peel_numerals(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink) {
  peel_base64(text, runs, sink);
  peel_spaced_hex(text, sink);
  peel_base85(text, sink);
  peel_ascii85(text, sink);
}

}  // namespace sallyport::dlp
