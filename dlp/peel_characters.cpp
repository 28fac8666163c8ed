#include "dlp/layer.hpp"

#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMinWideChars = 12;
// How much text around a disguised character is folded with it.
constexpr std::size_t kBefore = 192;
constexpr std::size_t kBehind = 768;

bool is_wide_char(std::string_view text, std::size_t at, std::size_t zero) {
  return at + 2 <= text.size() && text[at + zero] == '\0' && text[at + 1 - zero] != '\0';
}

/// ASCII text in UTF-16: every other byte is zero. `zero` is the place of that byte in a pair.
void peel_utf16(std::string_view text, std::size_t zero, LayerSink const& sink) {
  for (std::size_t at = text.find('\0'); at != std::string_view::npos && at + 2 <= text.size(); at = text.find('\0', at)) {
    auto begin = at - std::min(at, zero);
    auto end = begin;
    while (is_wide_char(text, end, zero)) end += 2;
    if (end - begin >= 2 * kMinWideChars) {
      Layer layer{Coding::utf16, {begin, end}, {}, 0};
      for (auto i = begin; i < end; i += 2) layer.bytes += text[i + 1 - zero];
      sink(std::move(layer));
    }
    at = std::max(at + 1, end);
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

/// A disguise counts only where ASCII letters or digits stand close by, or a whole word is disguised.
void peel_unicode(std::string_view text, LayerSink const& sink) {
  std::vector<Span> found;
  for (auto at = next_high(text, 0); at < text.size(); at = next_high(text, at)) {
    auto [value, length] = first_code_point(text.substr(at));
    if (length == 0) {
      at = std::min(text.size(), at + 16);  // binary: there is no text to fold here
      continue;
    }
    if (is_invisible(value) || ascii_look(value) != '\0') {
      Span around{at - std::min(at, kBefore), std::min(text.size(), at + kBehind)};
      if (!found.empty() && around.begin <= found.back().end)
        found.back().end = around.end;
      else
        found.push_back(around);
    }
    at += length;
  }
  for (auto const& source : found) sink({Coding::unicode, source, fold(text.substr(source.begin, source.size())), 0});
}

}  // namespace

void peel_characters(std::string_view text, LayerSink const& sink) {
  peel_utf16(text, 1, sink);
  peel_utf16(text, 0, sink);
  peel_unicode(text, sink);
}

}  // namespace sallyport::dlp
