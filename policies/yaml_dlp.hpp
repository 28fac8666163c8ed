#pragma once
// The `dlp` section of a policy file. Any thread. Does not know which detectors there are: who builds the scanner does.

#include "policies/layer.hpp"
#include "policies/yaml_document.hpp"

#include <optional>
#include <string_view>

namespace sallyport::policies {

DlpSection read_dlp(YamlNode const& node, Problems& problems);

/// off, alert, redact or block.
std::optional<DlpAction> read_dlp_action(YamlNode const& node, std::string_view key, Problems& problems);

/// Whether `text` is a day of the calendar, YYYY-MM-DD.
bool is_day(std::string_view text);

}  // namespace sallyport::policies
