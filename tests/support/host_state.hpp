#pragma once
// What a session could leave behind on the host: descriptors, processes, namespaces, mounts. Reads /proc; one thread.

#include "base/unique_fd.hpp"

#include <sys/types.h>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::test {

/// Open descriptors of this process.
std::size_t open_fds();

/// Processes that this user can see with `text` in one of their arguments.
std::vector<pid_t> processes_with_argument(std::string_view text);
/// Children, their children and so on.
std::vector<pid_t> descendants(pid_t pid);
/// Whether the process is there and not a zombie.
bool alive(pid_t pid);

/// The network, mount, PID and user namespaces that these processes live in, as far as this user may see:
/// "net:[4026531840]".
/// A process that has ended counts for none, reaped by its new parent or not.
std::set<std::string> namespaces_of(std::vector<pid_t> const& pids);
/// The same, held open: the kernel gives no other namespace their numbers until these are closed.
std::map<std::string, UniqueFd> hold_namespaces_of(std::vector<pid_t> const& pids);
/// Those of every process.
std::set<std::string> namespaces();
/// The lines of this process's mount table, without the mounts of container engines.
std::set<std::string> mounts();

/// Asks `holds` again and again until it is true; false if it is not within `timeout`.
bool eventually(std::chrono::milliseconds timeout, std::function<bool()> holds);

}  // namespace sallyport::test
