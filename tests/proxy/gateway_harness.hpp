#pragma once
// A real gateway process, confined as in the product, with its listening sockets on loopback. The test is its supervisor:
// it keeps every record, and acknowledges them at once or when told to.

#include "audit/event.hpp"
#include "base/unique_fd.hpp"
#include "policies/upstream_proxy.hpp"

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::tests {

enum class Acks { at_once, held };

class GatewayHarness {
 public:
  /// `rules` are the items of `egress:`; `pins` lead names to loopback origins, as --resolve does.
  /// `ca_bundle` (PEM) is trusted for servers besides the system's roots. `route`: the upstream proxy, if there is one.
  GatewayHarness(std::string const& rules, std::vector<std::string> const& pins, Acks acks = Acks::at_once,
                 std::string const& ca_bundle = {}, std::shared_ptr<policies::UpstreamRoute const> route = nullptr);
  ~GatewayHarness();
  GatewayHarness(GatewayHarness const&) = delete;
  GatewayHarness& operator=(GatewayHarness const&) = delete;

  std::uint16_t proxy_port() const { return proxy_port_; }
  std::uint16_t transparent_port() const { return transparent_port_; }
  std::uint16_t dns_udp_port() const { return dns_udp_port_; }
  std::uint16_t dns_tcp_port() const { return dns_tcp_port_; }
  pid_t pid() const { return pid_; }
  /// What a client has to trust where TLS ends in the gateway.
  std::string const& ca_certificate() const { return ca_certificate_; }

  /// The first `count` events of one kind, waiting for them; fewer when they do not come.
  template <class Kind>
  std::vector<Kind> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience(), [&] { return collect<Kind>().size() >= count; });
    return collect<Kind>();
  }
  /// The only record so far, or an empty one when there is none or more than one.
  audit::EgressRequest only_request();
  void acknowledge_all();
  /// How many descriptors the gateway has; nothing if that cannot be seen.
  std::optional<std::size_t> open_descriptors() const;
  /// Whether it comes down to `count`.
  bool wait_for_descriptors(std::size_t count) const;
  /// Asks the gateway to stop, and returns its exit status.
  int stop();
  /// Closes the channel as a dead supervisor would, and returns the gateway's exit status.
  int abandon();

 private:
  template <class Kind>
  std::vector<Kind> collect() const {
    std::vector<Kind> found;
    for (auto const& event : events_) {
      if (auto const* kind = std::get_if<Kind>(&event)) found.push_back(*kind);
    }
    return found;
  }
  static std::chrono::seconds patience();
  void read_channel();
  void take(std::string_view bytes);
  void send_written(std::uint64_t ticket);
  int wait_exit();

  std::uint16_t proxy_port_ = 0;
  std::uint16_t transparent_port_ = 0;
  std::uint16_t dns_udp_port_ = 0;
  std::uint16_t dns_tcp_port_ = 0;
  pid_t pid_ = -1;
  std::string ca_certificate_;
  std::optional<UniqueFd> channel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Acks acks_;
  bool ready_ = false;
  std::string fatal_;
  std::vector<audit::Event> events_;
  std::vector<std::uint64_t> held_;
  std::thread reader_;
};

}  // namespace sallyport::tests
