#include "dlp/layer.hpp"

#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinWideChars = 12;
// How much text around a disguised character is folded with it.
constexpr std::size_t kBefore = 192;
constexpr std::size_t kBehind = 768;

/// For each of up to 64 bytes, whether it is zero.
std::uint64_t zeros_scalar(std::string_view bytes) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) mask |= std::uint64_t{bytes[i] == '\0'} << i;
  return mask;
}

__attribute__((target("avx2"))) std::uint64_t zeros_avx2(char const* bytes) {
  std::uint64_t mask = 0;
  for (int i = 0; i < 2; ++i) {
    // SAFETY: the caller gives 64 bytes.
    __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes + 32 * i));
    __m256i zero = _mm256_cmpeq_epi8(text, _mm256_setzero_si256());
    mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(zero))) << (32 * i);
  }
  return mask;
}

/// ASCII text in UTF-16, either byte order: every other byte is zero, so that each is unlike the one before it.
void peel_utf16(std::string_view text, LayerSink const& sink) {
  if (text.find('\0') == std::string_view::npos) return;
  bool const wide = best_lanes() != Lanes::scalar;
  std::vector<Span> found;
  MaskRuns unlike(2 * kMinWideChars - 1, found);
  bool last_zero = false;
  for (std::size_t at = 0; at < text.size(); at += 64) {
    auto const bytes = text.substr(at, 64);
    auto const zeros = wide && bytes.size() == 64 ? zeros_avx2(bytes.data()) : zeros_scalar(bytes);
    auto mask = zeros ^ (zeros << 1 | std::uint64_t{last_zero});
    if (bytes.size() < 64) mask &= (std::uint64_t{1} << bytes.size()) - 1;
    last_zero = zeros >> 63 != 0;
    unlike.take(mask, at);
  }
  unlike.finish(text.size());
  for (auto const& run : found) {
    Layer layer{Coding::utf16, {run.begin - std::min<std::size_t>(run.begin, 1), run.end}, {}, 0, Depth::all};
    for (char c : text.substr(layer.source.begin, layer.source.size())) {
      if (c != '\0') layer.bytes += c;
    }
    sink(std::move(layer));
  }
}

/// The next byte with its high bit set.
std::size_t next_high(std::string_view text, std::size_t at) {
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

/// Text without what cannot be seen, and with ASCII for what looks like it.
std::string fold(std::string_view text) {
  std::string folded;
  for (std::size_t at = 0; at < text.size();) {
    auto [value, length] = first_code_point(text.substr(at));
    auto look = length == 0 ? '\0' : ascii_look(value);
    if (look != '\0')
      folded += look;
    else if (length == 0 || !is_invisible(value))
      folded += text.substr(at, std::max<std::size_t>(length, 1));
    at += std::max<std::size_t>(length, 1);
  }
  return folded;
}

/// In binary data characters arise by chance: a disguise is followed by more text.
bool is_text_from(std::string_view text, std::size_t at) {
  constexpr int kCharacters = 12;
  for (int i = 0; i < kCharacters && at < text.size(); ++i) {
    auto [value, length] = first_code_point(text.substr(at));
    bool control = value < ' ' && value != '\n' && value != '\r' && value != '\t';
    if (length == 0) return text.size() - at < 4;  // a character that is cut
    if (control) return false;
    at += length;
  }
  return true;
}

void peel_unicode(std::string_view text, LayerSink const& sink) {
  constexpr std::size_t kStride = 32;  // over binary data
  std::vector<Span> found;
  for (auto at = next_high(text, 0); at < text.size(); at = next_high(text, at)) {
    auto [value, length] = first_code_point(text.substr(at));
    if (length == 0) {
      at = std::min(text.size(), at + kStride);
      continue;
    }
    bool disguise = (is_invisible(value) || ascii_look(value) != '\0') && is_text_from(text, at);
    at += length;
    if (!disguise) continue;
    auto start = at - length;
    Span around{start - std::min(start, kBefore), std::min(text.size(), start + kBehind)};
    if (!found.empty() && around.begin <= found.back().end)
      found.back().end = around.end;
    else
      found.push_back(around);
  }
  for (auto const& source : found) sink({Coding::unicode, source, fold(text.substr(source.begin, source.size())), 0, Depth::all});
}

}  // namespace

void peel_characters(std::string_view text, LayerSink const& sink) {
  peel_utf16(text, sink);
  peel_unicode(text, sink);
}

}  // namespace sallyport::dlp
