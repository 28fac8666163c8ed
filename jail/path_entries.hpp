#pragma once
// Which directories below the hidden home a PATH needs. Looks at the host's file system; changes nothing.

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::jail {

/// The entries of `path` below `home` that exist, and what the programs in them are known to load: `lib`, `lib64` and `libexec`
/// beside a `bin` (Node.js below nvm), the parent of a `shims` (pyenv, rbenv, mise), ~/.rustup beside ~/.cargo/bin.
/// Never the home itself, and nothing of ~/.local but bin and lib.
std::vector<std::string> visible_path_entries(std::string_view path, std::string_view home);

}  // namespace sallyport::jail
