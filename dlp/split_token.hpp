#pragma once
// Finds a token that was cut and put into neighbouring values: parameters, headers, JSON fields, multipart parts.
// Pure; any thread. The literal must stand whole in the first piece.

#include "dlp/matcher.hpp"

#include <optional>
#include <string_view>

namespace sallyport::dlp {

/// Joins the values that follow the literal, as far as kSplitReach, and tries the detector on the whole. Accepts only what
/// a checksum or its randomness confirms.
std::optional<Match> match_split(RuleSet const& rules, std::uint16_t detector, std::string_view text, LiteralHit hit);

}  // namespace sallyport::dlp
