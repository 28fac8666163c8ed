#pragma once
// What the child tells the parent over the report socket: fixed-size messages, some with descriptors. Values.

#include <cstdint>
#include <string_view>

namespace sallyport::jail {

/// The steps of jail set-up, in order. A failure is reported as step and errno.
enum class Step : std::int32_t {
  none,
  die_with_parent,
  namespaces,
  id_maps,
  identity,
  loopback,
  net_rules,
  listeners,
  packet_log,
  socket_diag,
  send_sockets,
  private_mounts,
  new_root,
  mounts,
  enter_root,
  hostname,
  fork_command,
  process_group,
  inner_user_namespace,
  inner_id_maps,
  no_dumps,
  capabilities,
  no_new_privs,
  close_descriptors,
  seccomp,
  send_seccomp_listener,
  wait_for_start,
  working_directory,
  execute,
};
inline constexpr std::int32_t kStepCount = static_cast<std::int32_t>(Step::execute) + 1;
/// "packet filter", "new root", …: for "sallyport: cannot set up the jail: <name>: <errno text>".
std::string_view describe(Step step);

struct Report {
  enum class Kind : std::int32_t {
    failed,            // step, error; `detail` is the index of a mount step
    sockets,           // carries the listening sockets, the packet log and the socket_diag socket
    ready,             // PID 1 has given up everything and waits for the command
    seccomp_listener,  // carries the notification descriptor
    exec_failed,       // error: why no candidate could be executed
    stopped,           // the command was stopped by a signal
    ended,             // status: as waitpid(2) gives it
  };
  Kind kind = Kind::failed;
  Step step = Step::none;
  std::int32_t error = 0;
  std::int32_t detail = -1;
  std::int32_t status = 0;
};

/// How many sockets a `sockets` report carries, and in which order.
namespace socket_order {
enum : unsigned { explicit_v4, transparent_v4, dns_udp_v4, dns_tcp_v4, packet_log, socket_diag,
                  explicit_v6, transparent_v6, dns_udp_v6, dns_tcp_v6, count };
inline constexpr unsigned kWithoutIpv6 = explicit_v6;
}  // namespace socket_order

}  // namespace sallyport::jail
