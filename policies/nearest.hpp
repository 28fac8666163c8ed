#pragma once
// "did you mean": the known word closest to a mistyped one. Pure; any thread.

#include <span>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// The word of `known` with the smallest edit distance to `word`; empty if none is within two edits.
std::string nearest(std::string_view word, std::span<std::string_view const> known);

}  // namespace sallyport::policies
