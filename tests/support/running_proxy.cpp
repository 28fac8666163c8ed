#include "tests/support/running_proxy.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>

namespace sallyport::test {

std::uint16_t free_port() {
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

Command sallyport(std::vector<std::string> const& arguments) {
  Command command;
  command.argv = {SALLYPORT_BINARY};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.timeout = 120s;
  return command;
}

RunningProxy::RunningProxy(std::vector<std::string> const& arguments) {
  std::vector<std::string> all = {"proxy", "--listen", listen_, "--audit", log_};
  all.insert(all.end(), arguments.begin(), arguments.end());
  process_ = std::make_unique<Process>(sallyport(all));
  if (!process_->wait_for_output("listening", 20s)) throw std::runtime_error("proxy: " + process_->wait().err);
}

Command RunningProxy::curl(std::vector<std::string> const& arguments) const {
  Command command;
  command.argv = {"curl", "-sS", "--max-time", "60", "-x", "http://" + listen_};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.timeout = 90s;
  return command;
}

std::string RunningProxy::status_of(std::string const& url, std::vector<std::string> arguments) const {
  arguments.insert(arguments.end(), {"-w", "%{http_code}", "-o", "/dev/null", url});
  return run_command(curl(arguments)).out;
}

Records RunningProxy::stop() {
  process_->send_signal(SIGTERM);
  process_->send_signal(SIGINT);
  exit_code_ = process_->wait().exit_code;
  return read_records(log_);
}

}  // namespace sallyport::test
