#include "proxy/gateway.hpp"

#include "base/check.hpp"
#include "base/limits.hpp"
#include "proxy/adopt_socket.hpp"
#include "proxy/audit_channel.hpp"
#include "proxy/confine.hpp"
#include "proxy/counting_audit.hpp"
#include "proxy/dns_resolver.hpp"
#include "proxy/dns_stub.hpp"
#include "proxy/heap_trim.hpp"
#include "proxy/listener.hpp"
#include "proxy/metrics_server.hpp"
#include "proxy/packet_log.hpp"
#include "proxy/tenants.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iterator>
#include <list>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kDrainPoll{20};
constexpr char kHostsPath[] = "/etc/hosts";

/// What has to be read or made before the process is confined.
struct Tools {
  std::unique_ptr<CaresChannel> dns;
  HostsFile hosts;
  UlaPrefix prefix;
  std::optional<UniqueFd> system_roots;
};

Result<Tools> make_tools(asio::io_context& io) {
  auto dns = CaresChannel::make(io.get_executor());
  if (!dns) return dns.error();
  auto prefix = random_ula_prefix();
  if (!prefix) return prefix.error();
  return Tools{std::move(*dns), HostsFile::load(kHostsPath), *prefix, open_system_roots()};
}

/// The session first, or whoever is no other tenant.
std::vector<TenantOptions> tenants_of(GatewayOptions& options) {
  std::vector<TenantOptions> all;
  all.push_back({{}, std::move(options.policy), std::move(options.dlp), std::move(options.credentials)});
  std::move(options.tenants.begin(), options.tenants.end(), std::back_inserter(all));
  return all;
}

/// Everything that runs on the loop.
class Gateway {
 public:
  Gateway(asio::io_context& io, GatewayOptions options, Tools tools, AuditChannel& channel)
      : io_(io),
        channel_(channel),
        audit_(channel, metrics_),
        pins_(std::move(options.pins)),
        route_(std::move(options.route)),
        names_(tools.prefix),
        dns_(std::move(tools.dns)),
        lookups_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        dns_cache_(*dns_, lookups_, metrics_),
        dns_resolver_(std::move(tools.hosts), dns_cache_),
        tls_(std::move(options.ca), TrustSources{std::move(tools.system_roots), std::move(options.ca_bundle)}),
        timeouts_(options.timeouts),
        tenants_(tenants_of(options), TenantShared{pins_, route_, audit_, metrics_, dns_resolver_, dialer_, names_, tls_, streams_, pipes_, timeouts_}),
        responder_(tenants_.first().engine(), names_, tenants_.first().guard()),
        gate_(std::move(options.clients)),
        services_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        sessions_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        streams_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        dns_connections_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        scrapes_(io.get_executor(), [this](std::exception_ptr) { end(ChannelEnd::lost); }),
        metrics_server_(metrics_, gate_, scrapes_),
        stub_(DnsStubDeps{responder_, channel, dns_connections_}) {}

  Result<void> adopt(ListenerFds fds) {
    for (auto& listeners : fds.tenants) {
      auto* const owner = tenants_.find(listeners.tenant);
      check(owner != nullptr, "a listener's tenant is one of the gateway's");
      if (auto added = add_listeners(std::move(listeners.explicit_proxy), Door::explicit_proxy, owner); !added) return added;
      if (auto added = add_listeners(std::move(listeners.sni), Door::sni, owner); !added) return added;
    }
    if (auto added = add_listeners(std::move(fds.explicit_proxy), Door::explicit_proxy); !added) return added;
    if (auto added = add_listeners(std::move(fds.transparent), Door::transparent); !added) return added;
    if (auto added = add_listeners(std::move(fds.sni), Door::sni); !added) return added;
    for (auto& fd : fds.dns_udp) {
      auto socket = adopt_udp(io_, std::move(fd));
      if (!socket) return socket.error();
      services_.start(stub_.serve_udp(std::move(*socket)));
    }
    for (auto& fd : fds.dns_tcp) {
      auto acceptor = adopt_acceptor(io_, std::move(fd));
      if (!acceptor) return acceptor.error();
      services_.start(stub_.accept_tcp(std::move(*acceptor)));
    }
    if (fds.metrics) {
      auto acceptor = adopt_acceptor(io_, std::move(*fds.metrics));
      if (!acceptor) return acceptor.error();
      services_.start(metrics_server_.run(std::move(*acceptor)));
    }
    if (fds.packet_log) services_.start(read_packet_log(std::move(*fds.packet_log), channel_));
    return Result<void>();
  }

  /// Until Stop, or until the supervisor is gone; then every task has ended and its last records are queued.
  int run() {
    channel_.send(audit::channel::Ready{});
    channel_.flush();  // alone: nobody reads records before
    services_.start(watch_channel());
    run_loop();
    end_tasks();
    return end_ == ChannelEnd::stop ? 0 : 1;
  }

 private:
  /// Records leave together, when nothing else is to be done or the first has waited long enough: each group costs two
  /// changes of process.
  void run_loop() {
    while (!io_.stopped()) {
      bool const busy = io_.poll_one() > 0;
      if (busy && !channel_.is_due()) continue;
      channel_.flush();
      if (busy) continue;
      heap_.note(sessions_.size());
      io_.run_one();
    }
  }

  /// `owner`: the tenant whose own they are; null: nobody's.
  Result<void> add_listeners(std::vector<UniqueFd> fds, Door door, Tenant* owner = nullptr) {
    for (auto& fd : fds) {
      auto listener = Listener::adopt(io_, std::move(fd), door, ListenerDeps{tenants_, owner, sessions_, destinations_, gate_});
      if (!listener) return listener.error();
      services_.start(listeners_.emplace_back(std::move(*listener)).run());
    }
    return Result<void>();
  }

  awaitable<void> watch_channel() {
    SupervisorOrders orders{[this](std::string const& tenant, UniqueFd bundle) { take_policy(tenant, bundle); },
                            [this](std::string const& name, UniqueFd value) { tenants_.first().take_credential(name, value); },
                            [this] { services_.start(drain()); }};
    end(co_await channel_.run(std::move(orders)));
  }

  void take_policy(std::string const& name, UniqueFd const& bundle) {
    auto* const tenant = tenants_.find(name);
    channel_.send(tenant != nullptr ? tenant->take_policy(bundle) : audit::channel::PolicyAnswer{{}, 0, "there is no tenant " + name});
  }

  /// No new connections; the end when there are no old ones. The supervisor says Stop when that takes too long.
  awaitable<void> drain() {
    metrics_server_.set_readiness(Readiness::draining);
    for (auto& listener : listeners_) listener.stop();
    while (sessions_.size() > 0) co_await sleep_for(kDrainPoll);
    end(ChannelEnd::stop);
  }

  /// Tasks refer to this object: none may be left when it goes. Each ends at its next wait.
  void end_tasks() {
    auto const sets = {&sessions_, &streams_, &lookups_, &dns_connections_, &scrapes_, &services_};
    for (auto* set : sets) set->cancel_all();
    io_.restart();
    auto const deadline = std::chrono::steady_clock::now() + limits::kStopTimeout;
    auto const left = [&] { return std::any_of(sets.begin(), sets.end(), [](auto* set) { return set->size() > 0; }); };
    while (left() && std::chrono::steady_clock::now() < deadline) io_.run_one_until(deadline);
    check(!left(), "every task ends when it is cancelled");
  }

  void end(ChannelEnd how) {
    end_ = how;
    io_.stop();
  }

  asio::io_context& io_;
  AuditChannel& channel_;
  Metrics metrics_;
  CountingAudit audit_;
  std::vector<policies::Pin> const pins_;
  std::shared_ptr<policies::UpstreamRoute const> const route_;
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
  Timeouts const timeouts_;
  Tenants tenants_;
  DnsResponder responder_;
  ClientGate gate_;
  TaskSet services_;
  TaskSet sessions_;
  TaskSet streams_;
  TaskSet dns_connections_;
  TaskSet scrapes_;
  MetricsServer metrics_server_;
  DnsStub stub_;
  std::list<Listener> listeners_;
  ChannelEnd end_ = ChannelEnd::lost;
};

int fail(AuditChannel& channel, Error const& error) {
  channel.send(audit::channel::Fatal{error.what});
  channel.flush_blocking();
  return 1;
}

int run_on(asio::io_context& io, GatewayOptions options, TakeListeners const& take, AuditChannel& channel) {
  auto tools = make_tools(io);
  if (!tools) return fail(channel, tools.error());
  Gateway gateway(io, std::move(options), std::move(*tools), channel);
  auto listeners = take();
  if (!listeners) return fail(channel, listeners.error());
  if (auto adopted = gateway.adopt(std::move(*listeners)); !adopted) return fail(channel, adopted.error());
  if (auto confined = confine(); !confined) return fail(channel, confined.error());
  int const status = gateway.run();
  channel.flush_blocking();
  return status;
}

}  // namespace

int run_gateway(GatewayOptions options, TakeListeners listeners, UniqueFd channel_socket) {
  try {
    std::signal(SIGPIPE, SIG_IGN);  // splice() has no MSG_NOSIGNAL
    asio::io_context io(1);         // one thread: no locks
    AuditChannel channel(io, std::move(channel_socket));
    return run_on(io, std::move(options), listeners, channel);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "sallyport: gateway: %s\n", error.what());
    return 1;
  }
}

}  // namespace sallyport::proxy
