#pragma once
// How a session ended -> exit status, words, and the fields of session.end. Pure.

#include "audit/event.hpp"
#include "jail/supervisor.hpp"

#include <string>

namespace sallyport::cli {

inline constexpr int kTimeLimit = 124, kNotSetUp = 125, kNotExecutable = 126, kNotFound = 127, kSignalBase = 128;

int exit_status(jail::ExitReport const& report);
audit::SessionEnd session_end(jail::ExitReport const& report);
/// "cannot execute 'x': No such file or directory", with what to look at.
std::string not_started_text(std::string const& program, int error);

}  // namespace sallyport::cli
