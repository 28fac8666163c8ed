#pragma once
// Small files that are one user's alone and are made once: the signing key, the salt of findings. Blocking file access; any thread.
// Trusts the directory's owner.

#include "base/result.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace sallyport::audit {

/// The content; nothing if there is no such file. One that others can read, that is not ours, or that is a link is an error.
Result<std::optional<std::string>> read_private_file(std::string const& path, std::size_t max_bytes);

/// Puts `content` at DIR/NAME, whole or not at all, mode 0600; the directory is made if there is none (0700). One that is there stays: another
/// session may have been faster.
Result<void> create_private_file(std::string const& dir, std::string const& name, std::string const& content);

}  // namespace sallyport::audit
