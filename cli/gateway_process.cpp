#include "cli/gateway_process.hpp"

#include "audit/channel.hpp"
#include "cli/child_process.hpp"
#include "jail/receive.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sallyport::cli {
namespace {

constexpr std::chrono::seconds kSocketsTimeout{20};

void append(std::vector<int>& to, std::vector<UniqueFd> const& fds) {
  for (auto const& fd : fds) to.push_back(fd.get());
}

std::vector<int> descriptors_of(ListenerSource const& source) {
  if (auto const* sockets = std::get_if<UniqueFd>(&source)) return {sockets->get()};
  auto const& listeners = std::get<proxy::ListenerFds>(source);
  std::vector<int> out;
  for (auto const* group : {&listeners.explicit_proxy, &listeners.transparent, &listeners.sni, &listeners.dns_udp, &listeners.dns_tcp})
    append(out, *group);
  for (auto const& tenant : listeners.tenants) {
    append(out, tenant.explicit_proxy);
    append(out, tenant.sni);
  }
  if (listeners.metrics) out.push_back(listeners.metrics->get());
  if (listeners.packet_log) out.push_back(listeners.packet_log->get());
  return out;
}

/// Only its own descriptors: standard input, output and error, and with them the terminal, are the command's.
Result<void> keep_only(std::vector<int> kept) {
  int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || ::dup2(null, STDIN_FILENO) < 0 || ::dup2(null, STDOUT_FILENO) < 0 || ::dup2(null, STDERR_FILENO) < 0)
    return Error::os(errno, "/dev/null");
  std::ranges::sort(kept);
  unsigned from = STDERR_FILENO + 1;
  for (int fd : kept) {
    auto const number = static_cast<unsigned>(fd);
    if (number > from && ::close_range(from, number - 1, 0) < 0) return Error::os(errno, "close_range");
    from = number + 1;
  }
  if (::close_range(from, ~0U, 0) < 0) return Error::os(errno, "close_range");
  return {};
}

Result<proxy::ListenerFds> receive_listeners(UniqueFd const& sockets) {
  auto received = jail::receive_report(sockets.get(), kSocketsTimeout);
  if (!received) return received.error();
  auto& fds = received->fds;
  using namespace jail::socket_order;
  if (fds.size() != kWithoutIpv6 && fds.size() != count) return Error{Code::invalid, 0, "the jail sent the wrong number of sockets"};
  proxy::ListenerFds out;
  auto add = [&](unsigned v4, unsigned v6, std::vector<UniqueFd>& to) {
    to.push_back(std::move(fds[v4]));
    if (fds.size() == count) to.push_back(std::move(fds[v6]));
  };
  add(explicit_v4, explicit_v6, out.explicit_proxy);
  add(transparent_v4, transparent_v6, out.transparent);
  add(dns_udp_v4, dns_udp_v6, out.dns_udp);
  add(dns_tcp_v4, dns_tcp_v6, out.dns_tcp);
  out.packet_log.emplace(std::move(fds[packet_log]));
  return out;
}

[[noreturn]] void fail(std::vector<UniqueFd> const& channels, Error const& error) {
  std::string const message = audit::channel::encode(audit::channel::Fatal{error.what});
  for (auto const& channel : channels) ::send(channel.get(), message.data(), message.size(), MSG_NOSIGNAL);
  ::_exit(1);
}

Result<proxy::ListenerFds> take_listeners(ListenerSource source) {
  if (auto* listeners = std::get_if<proxy::ListenerFds>(&source)) return std::move(*listeners);
  return receive_listeners(std::get<UniqueFd>(source));
}

/// A pair of connected sockets.
Result<void> add_channel(std::vector<UniqueFd>& ours, std::vector<UniqueFd>& theirs) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
  ours.push_back(*UniqueFd::adopt(pair[0], "socketpair"));
  theirs.push_back(*UniqueFd::adopt(pair[1], "socketpair"));
  return {};
}

[[noreturn]] void gateway_main(proxy::GatewayOptions options, jail::Identity const& identity, ListenerSource source,
                               std::vector<UniqueFd> channels, pid_t parent) {
  if (auto done = become(identity); !done) fail(channels, done.error());
  if (auto done = die_with(parent); !done) fail(channels, done.error());
  auto kept = descriptors_of(source);
  append(kept, channels);
  if (auto done = keep_only(std::move(kept)); !done) fail(channels, done.error());
  ::prctl(PR_SET_NAME, "sallyport-gw");
  auto take = [&source] { return take_listeners(std::move(source)); };
  ::_exit(proxy::run_gateway(std::move(options), take, std::move(channels)));
}

}  // namespace

Result<GatewayProcess> start_gateway(proxy::GatewayOptions options, jail::Identity const& identity, ListenerSource source, std::size_t workers) {
  std::vector<UniqueFd> ours, theirs;
  for (std::size_t i = 0; i < workers; ++i) {
    if (auto made = add_channel(ours, theirs); !made) return made.error();
  }
  if (options.ca) {
    if (auto shared = options.ca->key.share_with_children(); !shared) return shared.error();
  }
  for (auto& credential : options.credentials) {
    if (auto shared = credential.value.share_with_children(); !shared) return shared.error();
  }
  pid_t const parent = ::getpid();
  pid_t const pid = ::fork();
  if (pid < 0) return Error::os(errno, "fork of the gateway");
  if (pid == 0) gateway_main(std::move(options), identity, std::move(source), std::move(theirs), parent);
  return GatewayProcess{pid, std::move(ours)};
}

}  // namespace sallyport::cli
