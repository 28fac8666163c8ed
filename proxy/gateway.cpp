#include "proxy/gateway.hpp"

#include "proxy/confine.hpp"
#include "proxy/worker.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <deque>
#include <exception>
#include <iterator>
#include <latch>
#include <thread>
#include <utility>

namespace sallyport::proxy {
namespace {

/// The session first, or whoever is no other tenant.
std::vector<TenantOptions> tenants_of(GatewayOptions& options) {
  std::vector<TenantOptions> all;
  all.push_back({{}, std::move(options.policy), std::move(options.dlp), std::move(options.credentials)});
  std::move(options.tenants.begin(), options.tenants.end(), std::back_inserter(all));
  return all;
}

Result<std::vector<TenantOptions>> copy_of(std::vector<TenantOptions> const& tenants) {
  std::vector<TenantOptions> all;
  for (auto const& each : tenants) {
    auto copy = proxy::copy_of(each);
    if (!copy) return copy.error();
    all.push_back(*std::move(copy));
  }
  return all;
}

/// Appends descriptors of the same sockets.
Result<void> duplicate(std::vector<UniqueFd> const& from, std::vector<UniqueFd>& to) {
  for (auto const& fd : from) {
    auto copy = UniqueFd::adopt(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0), "a listening socket for another thread");
    if (!copy) return copy.error();
    to.push_back(*std::move(copy));
  }
  return {};
}

/// Those that clients connect to. The others are one worker's.
Result<ListenerFds> shared_listeners(ListenerFds const& fds) {
  ListenerFds copy;
  if (auto done = duplicate(fds.explicit_proxy, copy.explicit_proxy); !done) return done.error();
  if (auto done = duplicate(fds.transparent, copy.transparent); !done) return done.error();
  if (auto done = duplicate(fds.sni, copy.sni); !done) return done.error();
  for (auto const& tenant : fds.tenants) {
    auto& own = copy.tenants.emplace_back(TenantListeners{tenant.tenant, {}, {}});
    if (auto done = duplicate(tenant.explicit_proxy, own.explicit_proxy); !done) return done.error();
    if (auto done = duplicate(tenant.sni, own.sni); !done) return done.error();
  }
  return copy;
}

/// The event loop and the channel first, which outlive the worker.
struct Loop {
  Loop(UniqueFd socket, RequestNumbers numbers) : channel(io, std::move(socket), numbers) {}

  asio::io_context io{1};  // one thread
  AuditChannel channel;
  std::optional<Worker> worker{};
  Result<void> confined{};
};

void say(std::exception const& error) { std::fprintf(stderr, "sallyport: gateway: %s\n", error.what()); }

/// All workers, from their making to their end.
class Gateway {
 public:
  Gateway(GatewayOptions options, std::vector<UniqueFd> channels)
      : tenants_(tenants_of(options)),
        shared_{std::move(options.pins), std::move(options.route), std::move(options.ca_bundle), options.timeouts, ClientTls(std::move(options.ca)),
                ClientGate(std::move(options.clients))},
        all_confined_(static_cast<std::ptrdiff_t>(channels.size())) {
    std::uint64_t number = 0;
    for (auto& channel : channels) loops_.emplace_back(std::move(channel), RequestNumbers{++number, channels.size()});
  }

  int run(TakeListeners const& take) {
    auto ready = prepare(take);
    if (ready) serve();
    for (auto const& loop : loops_) ready = ready && !loop.confined ? loop.confined : ready;
    return ready ? finish() : fail(ready.error());
  }

 private:
  Result<void> prepare(TakeListeners const& take) {
    for (auto& loop : loops_) {
      auto tools = make_worker_tools(loop.io);
      if (!tools) return tools.error();
      auto tenants = copy_of(tenants_);
      if (!tenants) return tenants.error();
      loop.worker.emplace(loop.io, *std::move(tenants), *std::move(tools), shared_, loop.channel);
    }
    tenants_.clear();
    auto listeners = take();
    if (!listeners) return listeners.error();
    for (std::size_t i = 1; i < loops_.size(); ++i) {
      auto copy = shared_listeners(*listeners);
      if (!copy) return copy.error();
      if (auto adopted = loops_[i].worker->adopt(*std::move(copy)); !adopted) return adopted;
    }
    return loops_.front().worker->adopt(*std::move(listeners));
  }

  /// The first worker on this thread, each other on one of its own. Confinement is a thread's: no byte is read before all are confined.
  void serve() {
    ::mallopt(M_ARENA_MAX, static_cast<int>(loops_.size()));  // or the C library asks for the number of processors, which a confined thread may not
    std::deque<std::jthread> threads;
    for (std::size_t i = 1; i < loops_.size(); ++i) threads.emplace_back([this, i] { work(loops_[i]); });
    work(loops_.front());
  }

  void work(Loop& loop) noexcept {
    loop.confined = confine();
    all_confined_.arrive_and_wait();
    auto const is_confined = [](Loop const& each) { return each.confined.has_value(); };
    if (std::all_of(loops_.begin(), loops_.end(), is_confined) && run_worker(loop) == ChannelEnd::lost) ::_exit(1);  // with all the others
  }

  ChannelEnd run_worker(Loop& loop) noexcept {
    try {
      auto const end = loop.worker->run();
      if (end == ChannelEnd::lost) loop.channel.flush_blocking();
      return end;
    } catch (std::exception const& error) {
      say(error);
      return ChannelEnd::lost;
    }
  }

  int finish() {
    for (auto& loop : loops_) loop.channel.flush_blocking();
    return 0;
  }

  int fail(Error const& error) {
    for (auto& loop : loops_) {
      loop.channel.send(audit::channel::Fatal{error.what});
      loop.channel.flush_blocking();
    }
    return 1;
  }

  std::vector<TenantOptions> tenants_;  // until each worker has a copy
  WorkersShared shared_;
  std::latch all_confined_;
  std::deque<Loop> loops_;
};

}  // namespace

int run_gateway(GatewayOptions options, TakeListeners listeners, std::vector<UniqueFd> channels) {
  try {
    std::signal(SIGPIPE, SIG_IGN);  // splice() has no MSG_NOSIGNAL
    return Gateway(std::move(options), std::move(channels)).run(listeners);
  } catch (std::exception const& error) {
    say(error);
    return 1;
  }
}

}  // namespace sallyport::proxy
