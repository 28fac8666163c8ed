#pragma once
// A `sallyport proxy` on a free loopback port, for tests that use it with real clients. Throws when it does not start. One
// thread.

#include "tests/support/audit_records.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::test {

/// Nobody listened on it a moment ago.
std::uint16_t free_port();

/// `sallyport ARGUMENTS`.
Command sallyport(std::vector<std::string> const& arguments);

class RunningProxy {
 public:
  /// `arguments` besides --listen and --audit.
  explicit RunningProxy(std::vector<std::string> const& arguments);

  Process& process() { return *process_; }
  std::string const& address() const { return listen_; }

  /// curl through the proxy.
  Command curl(std::vector<std::string> const& arguments) const;
  /// The HTTP status of a GET; 000 if none came.
  std::string status_of(std::string const& url, std::vector<std::string> arguments = {}) const;
  /// Asks it to end, twice, so that it does not wait for live connections; returns what is in its log.
  Records stop();
  int exit_code() const { return exit_code_; }

 private:
  TempDir const directory_;
  std::string const log_ = (directory_ / "log.jsonl").string();
  std::string const listen_ = "127.0.0.1:" + std::to_string(free_port());
  std::unique_ptr<Process> process_;
  int exit_code_ = -1;
};

}  // namespace sallyport::test
