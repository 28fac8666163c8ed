#pragma once
// Sizes as people write them. Pure; any thread.

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// size = 1*DIGIT [ "B" | "KiB" | "MiB" | "GiB" ], at least 1 byte and less than 2^63. Other units (KB, k, M) are errors: people
/// mean different things by them.
Result<std::uint64_t> parse_byte_size(std::string_view text);

/// In the largest unit that leaves no rest: "64KiB", "1500B". parse_byte_size() gives the same number.
std::string byte_size_text(std::uint64_t bytes);

}  // namespace sallyport::policies
