#pragma once
// Which file a path means inside the jail, and what the kernel makes of it. Files are hostile: only regular ones are opened, and only
// their first line is read. Source: execve(2), "Interpreter scripts"; openat2(2), RESOLVE_IN_ROOT.

#include "base/result.hpp"
#include "jail/exec_request.hpp"

#include <string>

namespace sallyport::jail {

struct ExecFile {
  std::string path;  // links resolved, as the jail sees it
  FileId id;
  std::string first_line;  // "#!…" of a script without the newline, empty otherwise
};

/// `path` as `process` would open it; relative ones from its working directory. /proc/self means the process.
Result<ExecFile> find_exec_file(ProcDirectory const& process, std::string const& path);
/// Descriptor `fd` of the process (execveat with AT_EMPTY_PATH).
Result<ExecFile> find_exec_descriptor(ProcDirectory const& process, int fd);

/// Follows interpreter lines, as the kernel does, at most five deep.
Result<Expectation> expect(ProcDirectory const& process, ExecFile file, std::string const& path, std::vector<std::string> argv);

}  // namespace sallyport::jail
