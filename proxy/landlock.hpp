#pragma once
// Landlock for a process that needs no files at all. Sources: landlock(7), Linux include/uapi/linux/landlock.h,
// Documentation/userspace-api/landlock.rst (which version of the interface brought which right).

#include "base/result.hpp"

namespace sallyport::proxy {

/// The version of the running kernel's interface; 0 when it has none or it is switched off.
int landlock_version();

/// From now on this process may open, make, remove and change no file, bind no TCP port (version 4), and reach no process
/// outside itself by a signal or an abstract Unix socket (version 6); descriptors it has stay as they are. Cannot be
/// undone. Does nothing on a kernel without Landlock: ask landlock_version(). REQUIRES: no_new_privs, one thread. Does not
/// limit where it connects, or reading of a file's attributes.
Result<void> give_up_files();

}  // namespace sallyport::proxy
