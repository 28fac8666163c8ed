#pragma once
// The text of one policy file -> Layer. Any thread. Does not read files or follow `extends`.

#include "policies/layer.hpp"

#include <optional>
#include <string>

namespace sallyport::policies {

/// `file` names the text in places; `home` is what a leading "~/" stands for. nullopt if any problem was added.
std::optional<Layer> read_layer(std::string const& file, std::string text, std::string const& home, Problems& problems);

}  // namespace sallyport::policies
