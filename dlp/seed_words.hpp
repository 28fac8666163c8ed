#pragma once
// The word list of seed phrases. Static lifetime; any thread. Source: BIP-39.

#include <string_view>

namespace sallyport::dlp {

/// 2048 words in alphabetical order, one blank between two.
std::string_view seed_words();

}  // namespace sallyport::dlp
