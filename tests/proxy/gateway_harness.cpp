#include "tests/proxy/gateway_harness.hpp"

#include "audit/channel.hpp"
#include "base/limits.hpp"
#include "policies/pin.hpp"
#include "policies/yaml_loader.hpp"
#include "proxy/gateway.hpp"
#include "tests/proxy/loopback.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace sallyport::tests {
namespace {

namespace channel = audit::channel;

std::shared_ptr<policies::Policy const> policy_with(std::string const& rules) {
  std::string directory = std::filesystem::temp_directory_path() / "gateway_harness.XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr) throw std::runtime_error("mkdtemp");
  auto const path = directory + "/policy.yaml";
  std::ofstream(path) << "version: 1\nname: test\nnetwork: restricted\negress:\n" << rules;
  auto policy = policies::load_policy({.preset_dir = "", .home = "", .policies = {path}, .allow = {}});
  std::filesystem::remove_all(directory);
  return policy.value();
}

proxy::GatewayOptions options_of(std::string const& rules, std::vector<std::string> const& pins) {
  proxy::GatewayOptions options{policy_with(rules), {}};
  for (auto const& pin : pins) options.pins.push_back(policies::parse_pin(pin).value());
  return options;
}

void make_non_blocking(UniqueFd const& socket) { ::fcntl(socket.get(), F_SETFL, O_NONBLOCK); }

/// One listening socket; its port goes to `port`.
UniqueFd listening(SocketKind kind, std::uint16_t& port) {
  auto socket = bound_socket(kind);
  make_non_blocking(socket);
  port = port_of(socket);
  return socket;
}

}  // namespace

GatewayHarness::GatewayHarness(std::string const& rules, std::vector<std::string> const& pins, Acks acks,
                               std::string const& ca_bundle, std::shared_ptr<policies::UpstreamRoute const> route)
    : acks_(acks) {
  auto options = options_of(rules, pins);
  options.ca.emplace(proxy::make_session_ca(std::chrono::system_clock::now()).value());
  options.ca->key.share_with_children().value();
  options.ca_bundle = ca_bundle;
  options.route = std::move(route);
  ca_certificate_ = options.ca->certificate;
  proxy::ListenerFds fds;
  fds.explicit_proxy.push_back(listening(SocketKind::stream, proxy_port_));
  fds.transparent.push_back(listening(SocketKind::stream, transparent_port_));
  fds.dns_udp.push_back(listening(SocketKind::datagram, dns_udp_port_));
  fds.dns_tcp.push_back(listening(SocketKind::stream, dns_tcp_port_));
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("socketpair");
  auto ours = UniqueFd::adopt(ends[0], "channel").value();
  auto theirs = UniqueFd::adopt(ends[1], "channel").value();
  pid_ = ::fork();
  if (pid_ == 0) {
    static_cast<void>(UniqueFd(std::move(ours)));  // or the gateway would keep its own supervisor alive
    auto take = [&fds] { return Result<proxy::ListenerFds>(std::move(fds)); };
    std::vector<UniqueFd> channels;
    channels.push_back(std::move(theirs));
    ::_exit(proxy::run_gateway(std::move(options), take, std::move(channels)));
  }
  channel_ = std::move(ours);
  reader_ = std::thread([this] { read_channel(); });
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience(), [this] { return ready_ || !fatal_.empty(); });
  if (!ready_) throw std::runtime_error("the gateway did not start: " + fatal_);
}

GatewayHarness::~GatewayHarness() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    wait_exit();
  }
}

std::chrono::seconds GatewayHarness::patience() { return kPatience; }

audit::EgressRequest GatewayHarness::only_request() {
  auto const requests = wait_for<audit::EgressRequest>(1);
  return requests.size() == 1 ? requests.front() : audit::EgressRequest{};
}

void GatewayHarness::acknowledge_all() {
  std::unique_lock lock(mutex_);
  acks_ = Acks::at_once;
  for (auto const ticket : held_) send_written(ticket);
  held_.clear();
}

std::optional<std::size_t> GatewayHarness::open_descriptors() const {
  std::error_code error;
  std::filesystem::directory_iterator const entries("/proc/" + std::to_string(pid_) + "/fd", error);
  if (error) return std::nullopt;
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

bool GatewayHarness::wait_for_descriptors(std::size_t count) const {
  auto const deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (open_descriptors() == count) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the kernel tells nobody when a descriptor is closed
  }
  return false;
}

int GatewayHarness::stop() {
  auto const packet = encode(channel::ToGateway(channel::Stop{}));
  ::send(channel_->get(), packet.data(), packet.size(), MSG_NOSIGNAL);
  return wait_exit();
}

int GatewayHarness::abandon() {
  ::shutdown(channel_->get(), SHUT_RDWR);
  return wait_exit();
}

void GatewayHarness::read_channel() {
  std::string packet;
  for (;;) {
    packet.resize(limits::kMaxChannelMessageBytes);
    ssize_t const got = ::recv(channel_->get(), packet.data(), packet.size(), 0);
    if (got <= 0) return;
    std::istringstream lines(packet.substr(0, static_cast<std::size_t>(got)));
    for (std::string line; std::getline(lines, line);) take(line);
  }
}

void GatewayHarness::take(std::string_view bytes) {
  auto message = channel::decode_to_supervisor(bytes);
  std::unique_lock lock(mutex_);
  if (!message) {
    fatal_ = message.error().what;
  } else if (std::holds_alternative<channel::Ready>(*message)) {
    ready_ = true;
  } else if (auto const* fatal = std::get_if<channel::Fatal>(&*message)) {
    fatal_ = fatal->what;
  } else {
    auto& record = std::get<channel::Record>(*message);
    events_.push_back(std::move(record.event));
    if (record.ticket != 0 && acks_ == Acks::at_once) send_written(record.ticket);
    if (record.ticket != 0 && acks_ == Acks::held) held_.push_back(record.ticket);
  }
  changed_.notify_all();
}

void GatewayHarness::send_written(std::uint64_t ticket) {
  auto const packet = encode(channel::ToGateway(channel::Written{ticket}));
  ::send(channel_->get(), packet.data(), packet.size(), MSG_NOSIGNAL);
}

int GatewayHarness::wait_exit() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  reader_.join();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace sallyport::tests
