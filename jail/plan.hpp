#pragma once
// Everything a jail is made of, as a value: printable, comparable by eye, no system calls. Made by make_plan() (jail/planner.hpp),
// carried out by jail/launch and jail/child.

#include "jail/net_links.hpp"
#include "jail/net_rules.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

enum class Access { read_only, read_write };

/// Bytes of a file of the host.
struct FileRange {
  std::string path;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// One step of building the new root, in order. Targets are relative to the new root ("usr/lib"), "" is the root itself.
struct MountStep {
  enum class Kind {
    directory,       // mkdir `target`, mode 0755, fine if it is there
    file,            // a regular file with `content`, then `copied`, then `tail`; mode `mode`
    symlink,         // `target` -> `source`
    bind,            // `source` of the host, or relative to the new root, recursively, at `target`
    tmpfs,           // a private writable tmpfs, mode `mode`
    hide_directory,  // an empty read-only directory in its place, if it is visible at all
    hide_file,       // an empty file in its place, if it is visible at all
    proc,            // of the jail's own PID namespace
    device,          // the device node `source` of the host
    devpts,          // a private instance
    freeze,          // what is mounted at `target` becomes read-only; mounts below it stay as they are
  };
  Kind kind;
  std::string source;
  std::string target;
  std::string content;
  Access access = Access::read_only;
  mode_t mode = 0755;
  int tree_fd = -1;  // a detached mount prepared by root (jail/prepared_mounts), instead of `source`
  FileRange copied{};   // of a file: large contents go from file to file in the kernel, without passing our memory
  std::string tail{};
};

/// Which host user the jail runs as. Never uid 0.
struct Identity {
  uid_t uid = 0;
  gid_t gid = 0;
  bool changed = false;  // root started us: become this user before anything else
};

struct Plan {
  Identity identity;
  std::vector<std::string> argv;
  std::vector<std::string> candidates;   // paths to try for argv[0], in order
  std::vector<std::string> environment;  // NAME=value
  std::string cwd;
  std::string hostname = "sallyport";
  std::vector<MountStep> mounts;
  Ipv6 ipv6 = Ipv6::present;
  NetPorts ports;
  std::vector<std::uint8_t> net_links;
  std::vector<std::uint8_t> net_rules;
  std::vector<std::uint8_t> packet_log_bind;
  std::span<std::uint64_t const> seccomp;  // jail/seccomp_program
  std::optional<std::chrono::milliseconds> timeout;
};

}  // namespace sallyport::jail
