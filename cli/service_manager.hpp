#pragma once
// What systemd hands a service and wants to hear from it: sockets it opened, and that the service is ready, alive or
// stopping. Both are plain protocols: sd_listen_fds(3) "Notes", sd_notify(3) "Standalone Implementations". Reads the
// environment; one thread. Does nothing, and is no error, where no service manager asks for it.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

/// A socket that was opened for us, with its FileDescriptorName=.
struct InheritedSocket {
  std::string name;
  UniqueFd fd;
};
/// Those of LISTEN_FDS, once: the variables are removed. An error where they are ours and wrong.
Result<std::vector<InheritedSocket>> take_inherited_sockets();

class ServiceManager {
 public:
  /// From NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  static ServiceManager from_environment();

  /// Also with a new status, as often as there is one.
  void ready(std::string_view status) const;
  void stopping() const;
  /// Every half of the time in which the manager wants to hear from us.
  std::optional<std::chrono::milliseconds> watchdog_interval() const { return watchdog_interval_; }
  void alive() const;

 private:
  void notify(std::string const& state) const;

  std::string address_;  // a path, or an abstract name after '@'; empty: nobody listens
  std::optional<std::chrono::milliseconds> watchdog_interval_;
};

}  // namespace sallyport::cli
