#pragma once
// The layers of a policy as bytes, for a process that may not open files: it parses and merges them by the code that parsed
// and merged the files, so both have the same policy and digest. Pure; any thread. The reader trusts the bytes to be
// pack_layers'.

#include "policies/layer.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// `layers` in merging order, what they extend included. `home` is what "~/" stands for.
std::string pack_layers(std::span<Layer const> layers, std::string const& home);

/// Null after a problem was added.
std::shared_ptr<Policy const> unpack_policy(std::string_view bundle, Problems& problems);

}  // namespace sallyport::policies
