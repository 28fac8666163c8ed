#include "dlp/finding.hpp"

namespace sallyport::dlp {

std::string_view to_string(Coding coding) {
  switch (coding) {
    case Coding::percent:
      return "percent";
    case Coding::json_escape:
      return "json-escape";
    case Coding::html_entity:
      return "html-entity";
    case Coding::quoted_printable:
      return "quoted-printable";
    case Coding::base64:
      return "base64";
    case Coding::base32:
      return "base32";
    case Coding::base58:
      return "base58";
    case Coding::decimal:
      return "decimal";
    case Coding::hex:
      return "hex";
    case Coding::base85:
      return "base85";
    case Coding::ascii85:
      return "ascii85";
    case Coding::utf16:
      return "utf-16";
    case Coding::unicode:
      return "unicode";
    case Coding::reversed:
      return "reversed";
    case Coding::rot13:
      return "rot13";
    case Coding::gzip:
      return "gzip";
    case Coding::zlib:
      return "zlib";
    case Coding::deflate:
      return "deflate";
    case Coding::zstd:
      return "zstd";
    case Coding::brotli:
      return "br";
  }
  return "unknown";
}

Finding decode_limit_at(std::uint64_t offset) {
  return {.detector = "decode-limit",
          .severity = Severity::high,
          .tier = Tier::structural,
          .certainty = Certainty::verified,
          .offset = offset};
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::low:
      return "low";
    case Severity::medium:
      return "medium";
    case Severity::high:
      return "high";
    case Severity::critical:
      return "critical";
  }
  return "unknown";
}

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::token:
      return "token";
    case Tier::structural:
      return "structural";
    case Tier::context:
      return "context";
    case Tier::generic:
      return "generic";
  }
  return "unknown";
}

std::string_view to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::verified:
      return "verified";
    case Certainty::shaped:
      return "shaped";
    case Certainty::look_alike:
      return "look-alike";
    case Certainty::guess:
      return "guess";
  }
  return "unknown";
}

}  // namespace sallyport::dlp
