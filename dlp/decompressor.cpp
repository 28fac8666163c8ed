#include "dlp/decompressor.hpp"

#include "dlp/deflate_head.hpp"
#include "dlp/noise.hpp"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace sallyport::dlp {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib.h: windowBits, plus 16 for gzip
constexpr int kZlibWindow = 15;
constexpr int kRawWindow = -15;        // zlib.h: negative for raw deflate
constexpr std::size_t kShortestBrotli = 16;  // what unpacks to a token is longer
constexpr std::size_t kBrotliHead = 8;       // bytes, and more than it takes
constexpr std::size_t kBestRatio = 32;       // of what is worth a search
constexpr int kMaxZstdWindowLog = 23;  // 8 MiB, which RFC 8878 section 3.1.1.1.2 asks every decoder to support

class Inflater final : public Decompressor {
 public:
  explicit Inflater(int window) : gzip_(window == kGzipWindow) { usable_ = ::inflateInit2(&stream_, window) == Z_OK; }
  ~Inflater() override { ::inflateEnd(&stream_); }
  Inflater(Inflater const&) = delete;
  Inflater& operator=(Inflater const&) = delete;

  Step step(std::string_view in, std::span<char> out) override {
    if (!usable_) return {0, 0, StreamState::failed};
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    auto in_size = static_cast<uInt>(std::min(in.size(), kMost));
    auto out_size = static_cast<uInt>(std::min(out.size(), kMost));
    // SAFETY: zlib does not write through next_in; sizes go with the pointers.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    int result = ::inflate(&stream_, Z_SYNC_FLUSH);
    Step step{in_size - stream_.avail_in, out_size - stream_.avail_out, StreamState::open};
    if (result == Z_STREAM_END)
      step.state = begin_next_member() ? StreamState::open : StreamState::ended;
    else if (result != Z_OK && result != Z_BUF_ERROR)
      step.state = StreamState::failed;
    return step;
  }

 private:
  /// RFC 1952 section 2.2: members follow one another, and are one text.
  bool begin_next_member() {
    bool const follows = gzip_ && stream_.avail_in >= 2 && stream_.next_in[0] == 0x1f && stream_.next_in[1] == 0x8b;
    return follows && ::inflateReset(&stream_) == Z_OK;
  }

  z_stream stream_{};
  bool gzip_;
  bool usable_ = false;
};

class ZstdDecoder final : public Decompressor {
 public:
  ZstdDecoder() : stream_(::ZSTD_createDStream(), &::ZSTD_freeDStream) {
    if (stream_) ::ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kMaxZstdWindowLog);
  }

  Step step(std::string_view in, std::span<char> out) override {
    if (!stream_) return {0, 0, StreamState::failed};
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    auto result = ::ZSTD_decompressStream(stream_.get(), &output, &input);
    auto state = ::ZSTD_isError(result) != 0 ? StreamState::failed : result == 0 ? StreamState::ended : StreamState::open;
    return {input.pos, output.pos, state};
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&::ZSTD_freeDStream)> stream_;
};

class BrotliDecoder final : public Decompressor {
 public:
  BrotliDecoder() : state_(::BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &::BrotliDecoderDestroyInstance) {}

  Step step(std::string_view in, std::span<char> out) override {
    if (!state_) return {0, 0, StreamState::failed};
    std::size_t in_left = in.size(), out_left = out.size();
    // SAFETY: bytes are passed as unsigned char; sizes go with the pointers.
    auto const* next_in = reinterpret_cast<std::uint8_t const*>(in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    auto result = ::BrotliDecoderDecompressStream(state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    auto state = StreamState::open;
    if (result == BROTLI_DECODER_RESULT_SUCCESS) state = StreamState::ended;
    if (result == BROTLI_DECODER_RESULT_ERROR) state = StreamState::failed;
    return {in.size() - in_left, out.size() - out_left, state};
  }

 private:
  std::unique_ptr<BrotliDecoderState, decltype(&::BrotliDecoderDestroyInstance)> state_;
};

/// RFC 1950 section 2.2: deflate with a window of 32 KiB, no dictionary, and a header that 31 divides.
bool is_zlib_head(std::string_view text) {
  auto method = static_cast<unsigned char>(text[0]), flags = static_cast<unsigned char>(text[1]);
  return method == 0x78 && (flags & 0x20) == 0 && (method * 256 + flags) % 31 == 0;
}

/// A local file header (APPNOTE.TXT 4.3.7) with method 8: where its data begins, relative to the header.
std::size_t zip_member_data(std::string_view header) {
  constexpr std::size_t kFixed = 30;
  auto word = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(header[at]) | static_cast<unsigned char>(header[at + 1])
                                                                                 << 8);
  };
  if (header.size() < kFixed || !header.starts_with("PK\x03\x04") || word(8) != 8) return 0;
  return kFixed + word(26) + word(28);
}

bool packed_at(std::string_view text, std::size_t at, PackedStart& found) {
  auto rest = text.substr(at);
  if (rest.size() < 6) return false;
  found.position = at;
  if (is_zlib_head(rest) && may_begin_deflate(rest.substr(2))) {
    found.coding = Coding::zlib;
  } else if (rest.starts_with("\x1f\x8b\x08")) {
    found.coding = Coding::gzip;
  } else if (rest.starts_with("\x28\xb5\x2f\xfd")) {
    found.coding = Coding::zstd;
  } else {
    auto data = zip_member_data(rest);
    found = {Coding::deflate, at + data};
    return data != 0 && found.position < text.size();
  }
  return true;
}

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(Coding coding) {
  switch (coding) {
    case Coding::gzip:
      return std::make_unique<Inflater>(kGzipWindow);
    case Coding::zlib:
      return std::make_unique<Inflater>(kZlibWindow);
    case Coding::deflate:
      return std::make_unique<Inflater>(kRawWindow);
    case Coding::zstd:
      return std::make_unique<ZstdDecoder>();
    case Coding::brotli:
      return std::make_unique<BrotliDecoder>();
    default:
      return nullptr;
  }
}

/// RFC 7932 sections 9.1 and 9.2: the first block has a length that so many bytes can unpack to.
bool may_begin_brotli(std::string_view first, std::size_t size) {
  if (size < kShortestBrotli || first.size() < kBrotliHead) return false;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBrotliHead; ++i) bits |= std::uint64_t{static_cast<unsigned char>(first[i])} << 8 * i;
  auto const take = [&bits](std::uint64_t count) {
    auto const value = bits & ((1U << count) - 1);
    bits >>= count;
    return value;
  };
  if (take(1) != 0 && take(3) == 0 && take(3) == 1) return false;  // size of the window; one code has no meaning
  bool const is_last = take(1) != 0;
  if (is_last && take(1) != 0) return false;  // and empty
  auto const nibbles = 4 + take(2);
  if (nibbles > 6) return false;  // no data
  auto const length = take(4 * nibbles) + 1;
  return length <= size * kBestRatio && (!is_last || length * 2 >= size);
}

bool find_packed(std::string_view text, std::size_t from, PackedStart& found) {
  for (auto at = find_head_bytes(text, from); at != std::string_view::npos; at = find_head_bytes(text, at + 1)) {
    if (packed_at(text, at, found)) return true;
  }
  return false;
}

}  // namespace sallyport::dlp
