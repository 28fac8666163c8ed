#pragma once
// Finds the bytes that can begin an escape, in one pass of some gigabytes a second. Pure; any thread. Looks at two bytes
// only: whether it is an escape is for peel_escapes to tell.

#include "dlp/lanes.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// Places, in order, of: '%' before a hexadecimal digit; '\' before 'u', 'x', '0', '1' or '/'; '&' before '#' or a letter; '='
/// before a digit below 8 or a line end.
struct EscapeMarks {
  std::vector<std::size_t> percent;
  std::vector<std::size_t> backslash;
  std::vector<std::size_t> entity;
  std::vector<std::size_t> equals;
};

EscapeMarks find_escape_marks(std::string_view text, Lanes lanes = best_lanes());

}  // namespace sallyport::dlp
