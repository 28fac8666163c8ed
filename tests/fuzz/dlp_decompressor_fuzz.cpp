// Any bytes as a compressed stream: no crash, and progress at every step.

#include "dlp/decompressor.hpp"

#include <array>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace sallyport::dlp;
  constexpr std::array kCodings = {Coding::gzip, Coding::zlib, Coding::deflate, Coding::zstd, Coding::brotli};
  if (size == 0) return 0;
  // SAFETY: the fuzzer's bytes are read as characters.
  std::string_view bytes(reinterpret_cast<char const*>(data), size);
  auto decompressor = make_decompressor(kCodings[static_cast<unsigned char>(bytes[0]) % kCodings.size()]);
  bytes.remove_prefix(1);
  std::array<char, 4096> out;
  for (std::size_t produced = 0; produced < 1'000'000;) {
    auto step = decompressor->step(bytes, std::span(out));
    if (step.consumed > bytes.size() || step.produced > out.size()) __builtin_trap();
    if (step.state != StreamState::open || (step.consumed == 0 && step.produced == 0)) break;
    bytes.remove_prefix(step.consumed);
    produced += step.produced;
  }
  return 0;
}
