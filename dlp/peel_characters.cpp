#include "dlp/layer.hpp"

#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinWideChars = 12;
// How much text around a disguised character is folded with it.
constexpr std::size_t kBefore = 192;
constexpr std::size_t kBehind = 768;

/// For each of 64 bytes, whether it is zero.
std::uint64_t zeros_scalar(std::string_view text, std::size_t at) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < 64 && at + i < text.size(); ++i) mask |= std::uint64_t{text[at + i] == '\0'} << i;
  return mask;
}

__attribute__((target("avx2"))) std::uint64_t zeros_wide(char const* bytes) {
  std::uint64_t mask = 0;
  for (int i = 0; i < 2; ++i) {
    // SAFETY: the caller gives 64 bytes.
    __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes + 32 * i));
    __m256i zero = _mm256_cmpeq_epi8(text, _mm256_setzero_si256());
    mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(zero))) << (32 * i);
  }
  return mask;
}

/// ASCII text in UTF-16, either byte order: every other byte is zero.
void peel_utf16(std::string_view text, LayerSink const& sink) {
  auto wide = best_lanes() == Lanes::avx2;
  std::size_t run_begin = 0;
  auto take = [&](std::size_t end) {
    if (end < run_begin + 2 * kMinWideChars) return;
    Layer layer{Coding::utf16, {run_begin, end}, {}, 0, Depth::all};
    for (auto i = run_begin; i < end; ++i) {
      if (text[i] != '\0') layer.bytes += text[i];
    }
    sink(std::move(layer));
  };
  bool last_zero = false;
  for (std::size_t at = 0; at < text.size(); at += 64) {
    auto count = std::min<std::size_t>(64, text.size() - at);
    auto zeros = wide && count == 64 ? zeros_wide(text.data() + at) : zeros_scalar(text, at);
    auto breaks = ~(zeros ^ (zeros << 1 | std::uint64_t{last_zero}));  // a byte is like the one before it
    last_zero = zeros >> 63 != 0;
    if (count < 64) breaks |= ~std::uint64_t{0} << count;
    if (breaks == ~std::uint64_t{0}) {  // by far the most
      take(at);
      run_begin = at + 63;
      continue;
    }
    for (; breaks != 0; breaks &= breaks - 1) {
      auto end = at + static_cast<std::size_t>(std::countr_zero(breaks));
      take(std::min(end, text.size()));
      run_begin = std::min(end, text.size());
    }
  }
  take(text.size());
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
