#include "proxy/worker.hpp"

#include "base/check.hpp"
#include "base/limits.hpp"
#include "proxy/adopt_socket.hpp"
#include "proxy/packet_log.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kDrainPoll{20};
constexpr char kHostsPath[] = "/etc/hosts";

}  // namespace

Result<WorkerTools> make_worker_tools(asio::io_context& io) {
  auto dns = CaresChannel::make(io.get_executor());
  if (!dns) return dns.error();
  auto prefix = random_ula_prefix();
  if (!prefix) return prefix.error();
  return WorkerTools{std::move(*dns), HostsFile::load(kHostsPath), *prefix, open_system_roots()};
}

Worker::Worker(asio::io_context& io, std::vector<TenantOptions> tenants, WorkerTools tools, WorkersShared& shared, AuditChannel& channel)
    : io_(io),
      shared_(shared),
      channel_(channel),
      audit_(channel, shared.metrics),
      names_(tools.prefix),
      dns_(std::move(tools.dns)),
      lookups_(io.get_executor(), failure_is_the_end()),
      dns_cache_(*dns_, lookups_, shared.metrics),
      dns_resolver_(std::move(tools.hosts), dns_cache_),
      tls_(shared.client_tls, TrustSources{std::move(tools.system_roots), shared.ca_bundle}),
      tenants_(std::move(tenants), TenantShared{shared.pins, shared.route, audit_, shared.metrics, dns_resolver_, dialer_, names_, tls_, streams_, pipes_,
                                                shared.timeouts}),
      responder_(tenants_.first().engine(), names_, tenants_.first().guard()),
      services_(io.get_executor(), failure_is_the_end()),
      sessions_(io.get_executor(), failure_is_the_end()),
      streams_(io.get_executor(), failure_is_the_end()),
      dns_connections_(io.get_executor(), failure_is_the_end()),
      scrapes_(io.get_executor(), failure_is_the_end()),
      metrics_server_(shared.metrics, shared.gate, scrapes_),
      stub_(DnsStubDeps{responder_, channel, dns_connections_}) {}

std::function<void(std::exception_ptr)> Worker::failure_is_the_end() {
  return [this](std::exception_ptr) { end(ChannelEnd::lost); };
}

Result<void> Worker::adopt(ListenerFds fds) {
  for (auto& listeners : fds.tenants) {
    auto* const owner = tenants_.find(listeners.tenant);
    check(owner != nullptr, "a listener's tenant is one of the gateway's");
    if (auto added = add_listeners(std::move(listeners.explicit_proxy), Door::explicit_proxy, owner); !added) return added;
    if (auto added = add_listeners(std::move(listeners.sni), Door::sni, owner); !added) return added;
  }
  if (auto added = add_listeners(std::move(fds.explicit_proxy), Door::explicit_proxy); !added) return added;
  if (auto added = add_listeners(std::move(fds.transparent), Door::transparent); !added) return added;
  if (auto added = add_listeners(std::move(fds.sni), Door::sni); !added) return added;
  if (auto added = add_dns(std::move(fds.dns_udp), std::move(fds.dns_tcp)); !added) return added;
  if (fds.metrics) {
    auto acceptor = adopt_acceptor(io_, std::move(*fds.metrics));
    if (!acceptor) return acceptor.error();
    services_.start(metrics_server_.run(std::move(*acceptor)));
  }
  if (fds.packet_log) services_.start(read_packet_log(std::move(*fds.packet_log), channel_));
  return Result<void>();
}

Result<void> Worker::add_listeners(std::vector<UniqueFd> fds, Door door, Tenant* owner) {
  for (auto& fd : fds) {
    auto listener = Listener::adopt(io_, std::move(fd), door, ListenerDeps{tenants_, owner, sessions_, destinations_, shared_.gate});
    if (!listener) return listener.error();
    services_.start(listeners_.emplace_back(std::move(*listener)).run());
  }
  return Result<void>();
}

Result<void> Worker::add_dns(std::vector<UniqueFd> udp, std::vector<UniqueFd> tcp) {
  for (auto& fd : udp) {
    auto socket = adopt_udp(io_, std::move(fd));
    if (!socket) return socket.error();
    services_.start(stub_.serve_udp(std::move(*socket)));
  }
  for (auto& fd : tcp) {
    auto acceptor = adopt_acceptor(io_, std::move(fd));
    if (!acceptor) return acceptor.error();
    services_.start(stub_.accept_tcp(std::move(*acceptor)));
  }
  return Result<void>();
}

ChannelEnd Worker::run() {
  channel_.send(audit::channel::Ready{});
  channel_.flush();  // alone: nobody reads records before
  services_.start(watch_channel());
  run_loop();
  end_tasks();
  return end_.value_or(ChannelEnd::lost);
}

/// Records leave together, when nothing else is to be done or the first has waited long enough: each group costs two
/// changes of process.
void Worker::run_loop() {
  while (!io_.stopped()) {
    bool const busy = io_.poll_one() > 0;
    if (busy && !channel_.is_due()) continue;
    channel_.flush();
    if (busy) continue;
    heap_.note(sessions_.size());
    io_.run_one();
  }
}

awaitable<void> Worker::watch_channel() {
  SupervisorOrders orders{[this](std::string const& tenant, UniqueFd bundle) { take_policy(tenant, bundle); },
                          [this](std::string const& name, UniqueFd value) { tenants_.first().take_credential(name, value); },
                          [this] { services_.start(drain()); }};
  end(co_await channel_.run(std::move(orders)));
}

void Worker::take_policy(std::string const& name, UniqueFd const& bundle) {
  auto* const tenant = tenants_.find(name);
  channel_.send(tenant != nullptr ? tenant->take_policy(bundle) : audit::channel::PolicyAnswer{{}, 0, "there is no tenant " + name});
}

/// No new connections; the end when there are no old ones. The supervisor says Stop when that takes too long.
awaitable<void> Worker::drain() {
  metrics_server_.set_readiness(Readiness::draining);
  for (auto& listener : listeners_) listener.stop();
  while (sessions_.size() > 0) co_await sleep_for(kDrainPoll);
  end(ChannelEnd::stop);
}

/// Tasks refer to this object: none may be left when it goes. Each ends at its next wait.
void Worker::end_tasks() {
  auto const sets = {&sessions_, &streams_, &lookups_, &dns_connections_, &scrapes_, &services_};
  for (auto* set : sets) set->cancel_all();
  io_.restart();
  auto const deadline = std::chrono::steady_clock::now() + limits::kStopTimeout;
  auto const left = [&] { return std::any_of(sets.begin(), sets.end(), [](auto* set) { return set->size() > 0; }); };
  while (left() && std::chrono::steady_clock::now() < deadline) io_.run_one_until(deadline);
  check(!left(), "every task ends when it is cancelled");
}

void Worker::end(ChannelEnd how) {
  if (!end_) end_ = how;  // what comes behind the first is how its tasks end
  io_.stop();
}

}  // namespace sallyport::proxy
