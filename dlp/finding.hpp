#pragma once
// What the scanner found, without the secret itself. Values; any thread.

#include "dlp/detector.hpp"
#include "dlp/digest.hpp"
#include "dlp/matcher.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// How a secret was written, outermost first in Finding::codings.
enum class Coding {
  percent,
  json_escape,
  html_entity,
  quoted_printable,  // escapes in text
  base64,
  base32,
  base58,
  decimal,
  hex,
  base85,
  ascii85,  // numerals
  utf16,
  unicode,  // other characters for the same letters
  reversed,
  rot13,
  gzip,
  zlib,
  deflate,
  zstd,
  brotli,  // compression
};
std::string_view to_string(Coding coding);
constexpr bool is_compression(Coding coding) { return coding >= Coding::gzip; }

struct Finding {
  std::string detector;  // id; "known-value", "canary", "credential" and "decode-limit" are not in a RuleSet
  Severity severity = Severity::high;
  Tier tier = Tier::token;
  Certainty certainty = Certainty::shaped;
  std::uint64_t offset = 0;  // in the message: of the secret, or of the coded stretch that holds it
  std::uint64_t length = 0;
  std::vector<Coding> codings{};
  ValueDigest digest{};                   // salted; the same for the same value in one session
  std::string name{};                     // of a known value
  std::vector<std::string_view> hosts{};  // the vendor's own; they live as long as the RuleSet
  bool operator==(Finding const&) const = default;
};

/// The finding that says a message decodes to more than is looked at.
Finding decode_limit_at(std::uint64_t offset);

std::string_view to_string(Severity severity);
std::string_view to_string(Tier tier);
std::string_view to_string(Certainty certainty);

}  // namespace sallyport::dlp
