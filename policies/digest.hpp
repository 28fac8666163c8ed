#pragma once
// SHA-256 of what a policy was made from. Pure; any thread.

#include <span>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// "sha256:<hex>" over each part, preceded by its length (8 bytes, big endian), so that no two lists of parts collide.
std::string digest_of(std::span<std::string_view const> parts);

}  // namespace sallyport::policies
