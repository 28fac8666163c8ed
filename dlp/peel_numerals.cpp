#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/limits.hpp"

#include <algorithm>

namespace sallyport::dlp {
namespace {

constexpr ByteSet kBase85 = ByteSet::of("!#-&(-+0-9;-Z^-z{-~-");
constexpr ByteSet kSpacedHex = ByteSet::of("0-9a-fA-F:, x-");
constexpr std::size_t kMinSpacedHex = 3 * 15;
constexpr int kBase85Starts = 4;  // the start of a run, and behind its first '=' signs

bool is_only(ByteSet const& set, std::string_view text) { return set.run(text) == text.size(); }

/// A line end between two lines of folded base 64, as bytes or as written in JSON; 0 if there is none.
std::size_t fold_at(std::string_view text) {
  for (std::string_view fold : {"\r\n", "\n", "\\r\\n", "\\n"}) {
    if (text.starts_with(fold)) return fold.size();
  }
  return 0;
}

/// The digits of a run and of the lines that continue it. `end` is set to the end of the last.
std::string unfold(std::string_view text, Span run, std::size_t& end) {
  std::string digits(text.substr(run.begin, run.size()));
  end = run.end;
  for (;;) {
    auto fold = fold_at(text.substr(end));
    bool slash = text.substr(end).starts_with("\\/");
    if (fold == 0 && !slash) return digits;
    auto next = end + (slash ? 1 : fold);
    auto length = kAnyBase64.run(text.substr(next));
    if (length == 0) return digits;
    digits += text.substr(next, length);
    end = next + length;
    if (fold != 0 && length < RunFinder::kMinRun) return digits;  // the last line
  }
}

/// Decodes `digits` from each of the first `alignments` digits on.
template <class Decode>
void peel_alignments(std::string_view digits, std::size_t alignments, Layer const& like, Decode decode,
                     LayerSink const& sink) {
  for (std::size_t skip = 0; skip < alignments && skip < digits.size(); ++skip) {
    Layer layer{like.coding, like.source, {}, skip};
    decode(digits.substr(skip), layer.bytes);
    sink(std::move(layer));
  }
}

void decode_hex(std::string_view digits, std::string& out) {
  for (std::size_t i = 0; i + 2 <= digits.size(); i += 2) {
    out += static_cast<char>(hex_value(digits[i]) << 4 | hex_value(digits[i + 1]));
  }
}

/// Digits of a smaller alphabet may stand between others of base 64: "/put/67687…/raw", "sha512-…".
template <class Decode>
void peel_inner_runs(std::string_view digits, ByteSet const& set, std::size_t alignments, Layer const& like, Decode decode,
                     LayerSink const& sink) {
  for (std::size_t at = 0; at + kMinCodedRun <= digits.size();) {
    // From the far end, so that most of what is no long run is never looked at.
    auto behind = set.run_back(digits.substr(at, kMinCodedRun));
    if (behind < kMinCodedRun) {
      at += kMinCodedRun - behind;
      continue;
    }
    auto run = set.run(digits.substr(at));
    peel_alignments(digits.substr(at, run), alignments, like, decode, sink);
    at += run;
  }
}

void peel_run(std::string_view digits, Span source, LayerSink const& sink) {
  Layer hex{Coding::hex, source, {}, 0}, base32{Coding::base32, source, {}, 0};
  if (is_only(kHex, digits)) return peel_alignments(digits, 2, hex, decode_hex, sink);
  peel_alignments(digits, 4, {Coding::base64, source, {}, 0}, decode_base64, sink);
  peel_inner_runs(digits, kHex, 2, hex, decode_hex, sink);
  peel_inner_runs(digits, kBase32, 8, base32, decode_base32, sink);
  peel_inner_runs(digits, kLowerBase32, 8, base32, decode_base32, sink);
}

void peel_base64(std::string_view text, LayerSink const& sink) {
  static RunFinder const finder(kAnyBase64, kMinCodedRun);
  std::vector<Span> runs;
  finder.find(text, runs);
  std::size_t done = 0;
  for (auto const& run : runs) {
    if (run.begin < done) continue;
    auto digits = unfold(text, run, done);
    peel_run(digits, {run.begin, done}, sink);
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
    Layer layer{Coding::hex, run, {}, 0};
    decode_hex(digits, layer.bytes);
    sink(std::move(layer));
  }
}

void peel_base85(std::string_view text, LayerSink const& sink) {
  static RunFinder const finder(kBase85, kMinCodedRun);
  std::vector<Span> runs;
  finder.find(text, runs);
  for (auto const& run : runs) {
    auto digits = text.substr(run.begin, run.size());
    if (is_only(kAnyBase64, digits)) continue;
    std::size_t skip = 0;
    for (int attempt = 0; attempt < kBase85Starts; ++attempt) {
      Layer layer{Coding::base85, run, {}, skip};
      decode_base85(digits.substr(skip), layer.bytes);
      if (layer.bytes.size() >= kMinCodedRun / 2) sink(std::move(layer));
      skip = digits.find('=', skip) + 1;
      if (skip == 0) break;
    }
  }
}

void peel_ascii85(std::string_view text, LayerSink const& sink) {
  for (auto begin = text.find("<~"); begin != std::string_view::npos; begin = text.find("<~", begin + 2)) {
    auto end = std::min(text.find("~>", begin + 2), text.size());
    Layer layer{Coding::ascii85, {begin, end}, {}, 0};
    decode_ascii85(text.substr(begin + 2, end - begin - 2), layer.bytes);
    if (!layer.bytes.empty()) sink(std::move(layer));
    if (end == text.size()) return;
    begin = end;
  }
}

}  // namespace

void peel_numerals(std::string_view text, LayerSink const& sink) {
  peel_base64(text, sink);
  peel_spaced_hex(text, sink);
  peel_base85(text, sink);
  peel_ascii85(text, sink);
}

}  // namespace sallyport::dlp
