#pragma once
// Whether a value reads like a generated secret, a password, a placeholder, or code. Pure; any thread.
// Estimates, for matches that no vendor's prefix vouches for.

#include <string_view>

namespace sallyport::dlp {

/// Shannon entropy of the bytes, in bits per byte; 0 for an empty text.
double entropy(std::string_view text);

/// Documentation and templates: "changeme", "<token>", "${VAR}", "xxxx", "AKIAIOSFODNN7EXAMPLE", a counted-up alphabet.
bool is_placeholder(std::string_view value);

/// Holds a value that documentation prints for everybody to see.
bool is_published(std::string_view value);

/// An expression of a program, or a URL, and no value: `os.read_token`, `get_token` before a '(', `std::uint32_t`. `next`
/// is the byte behind.
bool is_code(std::string_view value, char next);

/// As random as a key generator's output: letters and digits mixed, no words, no date, path, version or identifier.
bool is_random(std::string_view value);

/// The same where no name beside it vouches for it: few words in it, a digit, and no digest (hexadecimal, UUID,
/// "sha256-…").
bool is_random_alone(std::string_view value);

}  // namespace sallyport::dlp
