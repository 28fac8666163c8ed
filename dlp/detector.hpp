#pragma once
// A detector: what one kind of secret looks like, as data. Values that point to text of static lifetime, or to text the
// RuleSet owns. Any thread.
// Formats: the vendors' documentation and public samples; docs/dlp.md says how a token is judged.

#include "dlp/byte_set.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace sallyport::dlp {

/// What the text around a match and the match itself prove.
enum class Tier {
  token,       // the vendor's own prefix or signature
  structural,  // a structure that parses: a key, a JWT, a URL with a password
  context,     // a shape that many things share, beside a word that names it
  generic,     // something assigned to a name that says secret
};

enum class Severity { low, medium, high, critical };

enum class Case { exact, ignored };

/// What may stand beside the token.
enum class Edge {
  open,    // anything: the prefix alone is unmistakable
  word,    // no letter, digit or underscore
  strict,  // and no '+': the prefix may occur in base64 text
};

/// What is computed over a token that the pattern matched. See checks.hpp.
enum class Check {
  none,
  // checksums: a wrong one makes the token a look-alike
  crc32_base62,      // GitHub, npm: last six of the body
  crc32_base36,      // GitLab routable tokens: last seven, over all before them
  crc32_hex,         // Atlassian: last eight, upper case, over all before them
  crc32_hex_little,  // Grafana: last eight, bytes in little-endian order
  sha256_base32,     // GitHub fine-grained: does not count against the token
  base58check,       // Bitcoin WIF, BIP-32
  bech32,            // age
  // structures: what does not parse is no finding
  base58check_only,  // base58check, where nothing but the checksum tells
  aws_account,
  jwt,
  seed_phrase,  // no literal: dlp/seed_phrase finds it
  pem,
  basic_auth,
  base64_json,
  url_password,
  password,     // not a placeholder, not code
  random,       // as random as a generated secret
  lone_random,  // the same, and no digest: what names it is some words away
  luhn,
  iban,
};

/// The token begins before its literal: so many bytes of `alphabet` stand in front.
struct Lead {
  ByteSet alphabet{};
  std::uint16_t min = 0;
  std::uint16_t max = 0;
};

/// A token without a literal: a word of base-64 digits (the URL alphabet), at least kMinCodedRun long, begins it.
struct Word {
  ByteSet first{};
  std::uint16_t min = 0;
  std::uint16_t max = 0;  // 0: the detector has literals
};

struct Detector {
  std::string_view id;
  std::string_view title;
  /// Each is 3 bytes or longer; the pattern is tried only where one of them stands. None for a detector with a `word`.
  std::array<std::string_view, 10> literals{};
  Case letter_case = Case::exact;
  Word word{};
  /// RE2, from the first byte of the token. Group 1, if there is one, is the secret.
  std::string_view pattern;
  /// Tested before the pattern: at least `min` bytes of `body` follow the literal. For Tier::context and Tier::generic a
  /// '=' or ':' must follow soon instead.
  ByteSet body = kBase64Url;
  std::uint16_t min = 0;
  char follow = '\0';  // not '\0': the byte behind that run
  Lead lead{};
  /// No match is longer than this, counted from the literal, with what must be looked at behind the match.
  std::uint16_t reach = 256;
  Edge edge = Edge::open;
  Check check = Check::none;
  Tier tier = Tier::token;
  Severity severity = Severity::high;
  /// The vendor's own hosts: "example.com" with everything below it.
  std::array<std::string_view, 4> hosts{};
  /// Templates, see example.hpp: one that is found and one that is not, or only as a look-alike.
  std::string_view example;
  std::string_view near_miss;
};

/// The shipped detectors, a table for each kind of vendor.
std::span<Detector const> code_host_detectors();
std::span<Detector const> registry_detectors();
std::span<Detector const> cloud_detectors();
std::span<Detector const> platform_detectors();
std::span<Detector const> ai_detectors();
std::span<Detector const> saas_detectors();
std::span<Detector const> payment_and_chat_detectors();
std::span<Detector const> key_detectors();
std::span<Detector const> context_detectors();

}  // namespace sallyport::dlp
