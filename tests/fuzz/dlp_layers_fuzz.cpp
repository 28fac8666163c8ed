// Any bytes as text with codings in it: no crash, every source lies within the text, and decoded text is bounded by it.

#include "dlp/layer.hpp"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sallyport::dlp;
  // SAFETY: the fuzzer's bytes are read as characters.
  std::string_view text(reinterpret_cast<char const*>(data), size);
  auto inspect = [&](Layer&& layer) {
    if (layer.source.begin > layer.source.end || layer.source.end > text.size()) __builtin_trap();
    if (layer.bytes.size() > 4 * layer.source.size()) __builtin_trap();
  };
  peel_escapes(text, inspect);
  peel_numerals(text, digit_runs(text), inspect);
  peel_numbers(text, digit_runs(text), inspect);
  peel_characters(text, inspect);
  return 0;
}
