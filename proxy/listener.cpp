#include "proxy/listener.hpp"

#include "proxy/adopt_socket.hpp"

#include <fcntl.h>

#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kAcceptPause{50};  // after accept() failed for want of descriptors or memory
constexpr std::chrono::seconds kLimitHitInterval{1};

Peer peer_of(asio::ip::tcp::endpoint const& endpoint) { return Peer{from_asio(endpoint.address()), endpoint.port()}; }

}  // namespace

Result<Listener> Listener::adopt(asio::io_context& io, UniqueFd socket, Door door, ListenerDeps deps) {
  auto acceptor = adopt_acceptor(io, std::move(socket));
  if (!acceptor) return acceptor.error();
  return Listener(std::move(*acceptor), door, deps);
}

awaitable<void> Listener::run(std::size_t max_connections) {
  for (;;) {
    auto [ec, socket] = co_await acceptor_.async_accept();
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {
      co_await sleep_for(kAcceptPause);
    } else if (deps_.live.size() >= max_connections) {
      turn_away(std::move(socket), "more than " + std::to_string(max_connections) + " connections at once");
    } else {
      welcome(std::move(socket));
    }
  }
}

void Listener::welcome(Socket socket) {
  boost::system::error_code gone;
  auto const local = socket.remote_endpoint(gone);
  if (gone) return;  // reset before it was served
  auto const accepted_at = socket.local_endpoint(gone);
  if (gone) return;
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
  socket.set_option(asio::ip::tcp::no_delay(true), gone);

  std::optional<Peer> dialled;
  if (door_ == Door::transparent) dialled = deps_.destinations.of(socket.native_handle());
  auto flow = flow_of("tcp", peer_of(local), dialled.value_or(peer_of(accepted_at)));
  Arrival arrival{Client{Stream(std::move(socket)), std::move(flow)}, door_, dialled};
  deps_.live.start(run_session(std::move(arrival), deps_.sessions));
}

void Listener::turn_away(Socket socket, std::string why) {
  Stream(std::move(socket)).reset();
  auto const now = std::chrono::steady_clock::now();
  if (now - last_limit_hit_ < kLimitHitInterval) return;
  last_limit_hit_ = now;
  deps_.sessions.audit.post(audit::LimitHit{"connections", std::move(why)});
}

}  // namespace sallyport::proxy
