#pragma once
// c-ares on the gateway's event loop: one lookup is one await. Knows nothing of policies; DnsResolver stands in front of
// it.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "policies/address_class.hpp"

#include <ares.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// Nameservers and the way to reach them. An empty list: what the system configured.
struct DnsServers {
  std::string list;  // "127.0.0.1:5353,[::1]:5353"
};

struct DnsAnswer {
  std::vector<policies::IpAddress> addresses;  // never empty
  std::chrono::seconds ttl{0};                 // the shortest of all records that led to them
};

/// Asks the servers that resolv.conf named when it was made; reads no file afterwards. No cache, no search domains, no
/// hosts file, no aliases. Thread: its worker's. Lifetime: outlives every lookup, and pending ones fail when it ends.
class CaresChannel {
 public:
  static Result<std::unique_ptr<CaresChannel>> make(Executor executor, DnsServers servers = {});
  ~CaresChannel();
  CaresChannel(CaresChannel const&) = delete;
  CaresChannel& operator=(CaresChannel const&) = delete;

  /// All A and AAAA records of `name`, CNAMEs followed. Code::invalid when the servers say that it has none; anything else is a lookup that
  /// failed. Cancel-safe: the answer to a cancelled lookup is dropped.
  awaitable<Result<DnsAnswer>> lookup(std::string name);

 private:
  struct Watch;
  struct Lookup;

  explicit CaresChannel(Executor executor);
  static void on_socket_state(void* self, ares_socket_t socket, int readable, int writable);
  static void on_answer(void* lookup, int status, int timeouts, ares_addrinfo* answer);
  void watch(std::shared_ptr<Watch> watch);
  void process(ares_socket_t readable, ares_socket_t writable);
  void arm_timer();

  Executor executor_;
  Timer timer_;
  std::map<ares_socket_t, std::shared_ptr<Watch>> watches_;
  ares_channel channel_ = nullptr;
};

}  // namespace sallyport::proxy
