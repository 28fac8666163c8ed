#pragma once
// One event loop of the gateway, and everything that runs on it. Workers accept from the same listening sockets; a connection stays with
// the worker that accepted it. Made by one thread; then each is run by a thread of its own.

#include "proxy/audit_channel.hpp"
#include "proxy/counting_audit.hpp"
#include "proxy/dns_resolver.hpp"
#include "proxy/dns_stub.hpp"
#include "proxy/heap_trim.hpp"
#include "proxy/listener.hpp"
#include "proxy/listeners.hpp"
#include "proxy/metrics_server.hpp"
#include "proxy/tenants.hpp"
#include "proxy/timeouts.hpp"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// What all workers use together. Any thread. Outlives them.
struct WorkersShared {
  std::vector<policies::Pin> const pins;
  std::shared_ptr<policies::UpstreamRoute const> const route;
  std::string const ca_bundle;
  Timeouts const timeouts;
  ClientTls client_tls;
  ClientGate gate;
  Metrics metrics{};
};

/// What has to be read or made before the process is confined.
struct WorkerTools {
  std::unique_ptr<CaresChannel> dns;
  HostsFile hosts;
  UlaPrefix prefix;
  std::optional<UniqueFd> system_roots;
};
Result<WorkerTools> make_worker_tools(asio::io_context& io);

class Worker {
 public:
  /// `io` and `channel` are this worker's alone, and outlive it.
  Worker(asio::io_context& io, std::vector<TenantOptions> tenants, WorkerTools tools, WorkersShared& shared, AuditChannel& channel);
  Worker(Worker const&) = delete;
  Worker& operator=(Worker const&) = delete;

  Result<void> adopt(ListenerFds fds);
  /// Says Ready; until Stop, or until the supervisor is gone. Then every task has ended and its last records are queued.
  ChannelEnd run();

 private:
  void run_loop();
  /// `owner`: the tenant whose own they are; null: nobody's.
  Result<void> add_listeners(std::vector<UniqueFd> fds, Door door, Tenant* owner = nullptr);
  Result<void> add_dns(std::vector<UniqueFd> udp, std::vector<UniqueFd> tcp);
  awaitable<void> watch_channel();
  void take_policy(std::string const& name, UniqueFd const& bundle);
  awaitable<void> drain();
  void end_tasks();
  void end(ChannelEnd how);
  /// Ends the worker when a task fails.
  std::function<void(std::exception_ptr)> failure_is_the_end();

  asio::io_context& io_;
  WorkersShared& shared_;
  AuditChannel& channel_;
  CountingAudit audit_;
  SplicePipes pipes_;
  HeapTrim heap_;
  SyntheticNames names_;
  std::unique_ptr<CaresChannel> dns_;
  TaskSet lookups_;
  DnsCache dns_cache_;
  DnsResolver dns_resolver_;
  Dialer dialer_;
  KernelOriginalDestination destinations_;
  Tls tls_;
  Tenants tenants_;
  DnsResponder responder_;
  TaskSet services_;
  TaskSet sessions_;
  TaskSet streams_;
  TaskSet dns_connections_;
  TaskSet scrapes_;
  MetricsServer metrics_server_;
  DnsStub stub_;
  std::list<Listener> listeners_;
  std::optional<ChannelEnd> end_;  // set: it is over
};

}  // namespace sallyport::proxy
