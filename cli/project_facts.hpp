#pragma once
// What a project's folder says about the package registries it needs. Looks at the names in the folder itself, not below; opens
// nothing. Any thread.

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace sallyport::cli {

struct PresetChoice {
  std::string preset;   // a shipped preset's name
  std::string because;  // the file that asks for it
  bool operator==(PresetChoice const&) const = default;
};

/// One choice a preset, in the order of a fixed table. Error when the folder cannot be read.
Result<std::vector<PresetChoice>> presets_for(std::filesystem::path const& project);

}  // namespace sallyport::cli
