#pragma once
// Opens the audit log of a new session.

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"

#include <memory>
#include <string>

namespace sallyport::cli {

/// At `path`, or in the default place when it is empty.
Result<std::unique_ptr<audit::FileSink>> open_audit(std::string const& path, Clock const& clock, audit::Scrub scrub);

}  // namespace sallyport::cli
