#pragma once
// Makes example secrets out of templates, so that no file of ours holds a text that looks like a live secret.
//   template = *( text / "<" name [ "*" count ] ">" )
//   name     = an alphabet (dig hex HEX let l36 U36 b32 B32 b58 b62 b64 b64u), a checksum of what stands before it
//              (crc62 crc36 crchex crcle), or a whole structure (uuid aws jwt seed pem basic b64json age xprv wif card iban)
// Pure: the same template and seed give the same text on every machine.

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::dlp {

/// A small pseudo-random generator (SplitMix64), for examples only.
class ExampleRandom {
 public:
  explicit ExampleRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  std::string text(std::string_view alphabet, std::size_t length);
  std::string bytes(std::size_t length);

 private:
  std::uint64_t state_;
};

Result<std::string> expand_example(std::string_view text, std::uint64_t seed);

}  // namespace sallyport::dlp
