#pragma once
// gRPC messages by hand, so that a test can send what no library would.

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sallyport::tests {

inline std::string grpc_prefix(std::uint32_t size, char flag = 0) {
  return {flag, static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8), static_cast<char>(size)};
}

inline std::string grpc_message(std::string_view payload, char flag = 0) {
  return grpc_prefix(static_cast<std::uint32_t>(payload.size()), flag).append(payload);
}

enum class Packed { gzip, zlib };
inline std::string packed(std::string_view text, Packed format) {
  constexpr int kGzipHeader = 16;
  z_stream stream{};
  int const window = format == Packed::gzip ? MAX_WBITS + kGzipHeader : MAX_WBITS;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in(text);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace sallyport::tests
