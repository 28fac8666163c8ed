#pragma once
// What a sender of permessage-deflate makes of messages, for tests (RFC 7692 section 7.2.1).

#include <zlib.h>

#include <string>
#include <string_view>

namespace sallyport::tests {

class Deflater {
 public:
  Deflater() { ::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY); }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(Deflater const&) = delete;
  Deflater& operator=(Deflater const&) = delete;

  /// The payload of the next message; those before it are its context.
  std::string message(std::string_view plain, int flush = Z_SYNC_FLUSH) {
    std::string packed(plain.size() + 1024, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream_.avail_in = static_cast<uInt>(plain.size());
    stream_.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&stream_, flush);
    packed.resize(packed.size() - stream_.avail_out);
    if (flush == Z_SYNC_FLUSH) packed.resize(packed.size() - 4);
    return packed;
  }

 private:
  z_stream stream_{};
};

}  // namespace sallyport::tests
