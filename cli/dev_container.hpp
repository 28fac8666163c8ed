#pragma once
// A Dev Container Template, filled in. The text stands in devcontainer/templates, which is what a Template registry gets, too; this
// reads it from where it is installed. Sources: containers.dev, "Dev Container Templates reference" (options,
// ${templateOption:NAME}). Reads files; any thread.

#include "base/result.hpp"
#include "cli/new_files.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

struct DevContainerTemplate {
  std::string folder;                          // <prefix>/share/sallyport/devcontainer/templates/NAME
  std::map<std::string, std::string> options;  // of devcontainer-template.json, with their defaults
};
Result<DevContainerTemplate> read_template(std::string const& folder);

/// Every file below the template's .devcontainer, with ${templateOption:NAME} replaced by `options`. Error if a file names an option that
/// `options` does not have, or a value holds a character that would end the string it stands in.
Result<std::vector<NewFile>> fill_in(DevContainerTemplate const& from, std::map<std::string, std::string> const& options);

/// What a file is for, in one line: its first comment, or "description" of a JSON object. Empty if it has neither.
std::string purpose_of(std::string_view content);

}  // namespace sallyport::cli
