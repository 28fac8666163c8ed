#pragma once
// Detectors out of a gitleaks configuration. Pure; any thread. What a rule asks for and this scanner does not do is said in
// ImportedDetectors::not_imported, a line each with file and line; such a rule is left out, or taken without that part.
// A rule is tried where one of its keywords stands, on the bytes around it: its match has to begin within kImportLead bytes
// before the keyword. Rules without keywords, and patterns that would cost too much, are left out.

#include "base/result.hpp"
#include "dlp/rule_set.hpp"

#include <string_view>

namespace sallyport::dlp {

inline constexpr std::size_t kImportLead = 128;     // bytes before a keyword
inline constexpr std::size_t kImportReach = 512;    // bytes from a keyword on
inline constexpr int kMaxImportedProgram = 12'000;  // instructions of a compiled pattern

/// `text` is the file's, `name` what people know it by. Error: it is no gitleaks configuration.
Result<ImportedDetectors> import_gitleaks(std::string_view text, std::string_view name);

}  // namespace sallyport::dlp
