#include "jail/step_error.hpp"

#include <array>

namespace sallyport::jail {

std::string_view describe(Step step) {
  static constexpr std::array<std::string_view, kStepCount> kNames = {
      "nothing", "parent-death signal", "namespaces", "user and group id maps", "change of user", "loopback device and routes",
      "packet filter (nf_tables)", "listening sockets", "packet log", "socket_diag socket", "handing over the sockets",
      "private mount propagation", "new root", "mounts", "entering the new root", "host name", "starting the command's process",
      "process group", "inner user namespace", "inner user and group id maps", "core dump protection", "dropping capabilities",
      "no_new_privs", "closing descriptors", "seccomp filter", "handing over the seccomp listener", "waiting for the start signal",
      "working directory", "executing the command"};
  auto const index = static_cast<std::size_t>(step);
  return index < kNames.size() ? kNames[index] : "unknown step";
}

}  // namespace sallyport::jail
