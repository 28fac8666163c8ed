#pragma once
// Host names as carriers: a secret cut over the labels of one, in front of the domain that receives it. Pure; any thread.

#include "dlp/scanner.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// What the labels of `name`, read as one text, show beyond `findings`, is added to them, with this offset.
void scan_name(Scanner::Setup const& setup, std::string_view name, std::uint64_t offset, std::vector<Finding>& findings);

/// The host of a URL, of a request's head, or a text that is nothing but a name; empty if there is none.
std::string_view name_in(std::string_view message);

}  // namespace sallyport::dlp
