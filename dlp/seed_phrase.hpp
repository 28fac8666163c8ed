#pragma once
// Seed phrases of wallets: 12, 15, 18, 21 or 24 English words whose last bits are a checksum. Pure; any thread.
// Time is bounded: each word is looked up at most twice, and from each begins at most one phrase of each length. Source:
// BIP-39. Does not know other languages, or words that are numbered or stand in capitals.

#include "dlp/span.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// Phrases with the right checksum, in order, none within another, but those of a few words again and again that
/// documentation prints; words stand apart by blanks, commas or line ends.
std::vector<Span> find_seed_phrases(std::string_view text);

/// Whether `phrase` is one and nothing else.
bool is_seed_phrase(std::string_view phrase);

/// The phrase of 16 or 32 bytes of entropy, for examples.
std::string to_seed_phrase(std::string_view entropy);

}  // namespace sallyport::dlp
