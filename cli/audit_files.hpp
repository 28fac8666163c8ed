#pragma once
// Which logs a command of `sallyport audit` works on. Looks at the file system; any thread.

#include "base/result.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

/// The newest log in `log_dir`. Error::invalid if there is none.
Result<std::string> newest_log(std::string const& log_dir);

/// The log in `log_dir` whose session id begins with `session`. Error::invalid if there is none or more than one.
Result<std::string> log_of_session(std::string const& log_dir, std::string const& session);

}  // namespace sallyport::cli
