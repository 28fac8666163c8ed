#pragma once
// A `sallyport proxy` on a free loopback port, for tests that use it with real clients. Throws when it does not start. One thread.

#include "tests/support/audit_records.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sallyport::cli {

inline std::uint16_t free_port() {
  int const fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bool const found = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  if (!found) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

class RunningProxy {
 public:
  /// `arguments` besides --listen and --audit.
  explicit RunningProxy(std::vector<std::string> arguments) {
    std::vector<std::string> argv = {SALLYPORT_BINARY, "proxy", "--listen", listen_, "--audit", log()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    process_ = std::make_unique<test::Process>(test::Command{.argv = std::move(argv), .timeout = std::chrono::seconds(120)});
    if (!process_->wait_for_output("listening", std::chrono::seconds(20))) throw std::runtime_error("proxy: " + process_->wait().err);
  }

  test::Process& process() { return *process_; }
  std::string const& address() const { return listen_; }
  std::string log() const { return (directory_ / "log.jsonl").string(); }

  /// curl through the proxy.
  test::Command curl(std::vector<std::string> const& arguments) const {
    std::vector<std::string> argv = {"curl", "-sS", "--max-time", "60", "-x", "http://" + listen_};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return {.argv = std::move(argv)};
  }
  /// The HTTP status of a GET.
  std::string status_of(std::string const& url, std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"-w", "%{http_code}", "-o", "/dev/null", url});
    return test::run_command(curl(arguments)).out;
  }
  /// Asks it to end, twice, so that it does not wait for live connections; returns what is in its log.
  test::Records stop() {
    process_->send_signal(SIGTERM);
    process_->send_signal(SIGINT);
    exit_code_ = process_->wait().exit_code;
    return test::read_records(log());
  }
  int exit_code() const { return exit_code_; }

 private:
  test::TempDir const directory_;
  std::string const listen_ = "127.0.0.1:" + std::to_string(free_port());
  std::unique_ptr<test::Process> process_;
  int exit_code_ = -1;
};

}  // namespace sallyport::cli
