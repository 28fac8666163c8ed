#pragma once
// TCP ports as text. Pure; any thread.

#include "base/result.hpp"

#include <cstdint>
#include <string_view>

namespace sallyport::policies {

/// port = 1*5DIGIT, 1..65535; leading zeros, signs and spaces are errors.
Result<std::uint16_t> parse_port(std::string_view text);

}  // namespace sallyport::policies
