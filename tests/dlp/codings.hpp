#pragma once
// The codings as an adversary would write them: encoders for tests and for the corpus. Pure.

#include "dlp/finding.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp::test {

struct NamedCoding {
  std::string_view name;
  std::string (*encode)(std::string_view);
};

/// Every coding that the scanner claims to undo.
std::vector<NamedCoding> const& all_codings();
/// REQUIRES a name in all_codings().
std::string encode(std::string_view coding, std::string_view text);

std::string compressed(Coding coding, std::string_view bytes);
std::string to_hex_text(std::string_view bytes, std::string_view separator);

}  // namespace sallyport::dlp::test
