#pragma once
// Which network namespace to attach to, and whether what lives in it can be held there. Host side; reads /proc; one thread.
// Sources: pid_namespaces(7), user_namespaces(7), ioctl_nsfs(2), capabilities(7).

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

/// A network namespace, told from others by the inode of its file.
struct NamespaceId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(NamespaceId const&) const = default;
};
/// Of a path like /proc/PID/ns/net.
std::optional<NamespaceId> namespace_id(std::string const& path);
/// Processes that live in it, as far as the caller may see.
std::vector<pid_t> processes_in(NamespaceId network);

struct AttachTarget {
  UniqueFd network;              // the namespace
  UniqueFd owner;                // the user namespace that owns it
  NamespaceId id;
  std::optional<pid_t> pid;      // the container's first process, when it was named
  std::optional<UniqueFd> life;  // its pidfd: readable when it has ended
};

/// The namespace of a process; the process is held by a pidfd, so its number cannot come to mean another one.
Result<AttachTarget> open_process(pid_t pid);
/// A file that names a namespace: /run/netns/NAME, /proc/PID/ns/net.
Result<AttachTarget> open_namespace(std::string const& path);

/// Error if a process that lives there may change the network: one with CAP_NET_ADMIN in any of its sets over the namespace's owner.
/// Names the process. A process that starts later has no more than its container's first process had, unless the engine gives it more.
Result<void> check_powerless(AttachTarget const& target);

}  // namespace sallyport::jail
