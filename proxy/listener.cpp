#include "proxy/listener.hpp"

#include "proxy/adopt_socket.hpp"
#include "proxy/client_origin.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kAcceptPause{50};  // after accept() failed for want of descriptors or memory
constexpr std::chrono::seconds kLimitHitInterval{1};

std::string detail_of(TurnedAway why, std::string const& client, ClientRules const& rules) {
  if (why == TurnedAway::client) return client + " is not among the clients that may connect";
  if (why == TurnedAway::total) return "more than " + std::to_string(rules.max_connections) + " connections at once";
  return "more than " + std::to_string(rules.max_per_client) + " connections at once from " + client;
}

}  // namespace

Result<Listener> Listener::adopt(asio::io_context& io, UniqueFd socket, Door door, ListenerDeps deps) {
  auto acceptor = adopt_acceptor(io, std::move(socket));
  if (!acceptor) return acceptor.error();
  boost::system::error_code ignored;  // a Unix socket has no such option; accepted sockets inherit it
  acceptor->set_option(asio::ip::tcp::no_delay(true), ignored);
  return Listener(std::move(*acceptor), door, deps);
}

awaitable<void> Listener::run() {
  for (;;) {
    auto [ec, socket] = co_await acceptor_.async_accept();
    if (ec == asio::error::operation_aborted || !acceptor_.is_open()) co_return;
    if (ec) {
      co_await sleep_for(kAcceptPause);
    } else {
      welcome(std::move(socket));
    }
  }
}

void Listener::stop() {
  boost::system::error_code ignored;  // the descriptor is gone in any case
  acceptor_.close(ignored);
}

void Listener::welcome(Socket socket) {
  auto origin = client_origin(socket.native_handle());
  if (!origin) return;  // reset before it was served
  auto ticket = deps_.gate.admit(origin->flow.local_address, origin->address);
  if (!ticket) return turn_away(std::move(socket), ticket.error(), origin->flow.local_address);
  std::optional<Peer> dialled;
  if (door_ == Door::transparent) dialled = deps_.destinations.of(socket.native_handle());
  if (dialled) {
    origin->flow.remote_address = dialled->address.to_string();
    origin->flow.remote_port = dialled->port;
  }
  Arrival arrival{Client{Stream(std::move(socket)), std::move(origin->flow)}, door_, dialled, std::move(*ticket)};
  deps_.live.start(run_session(std::move(arrival), deps_.sessions));
}

void Listener::turn_away(Socket socket, TurnedAway why, std::string const& client) {
  Stream(std::move(socket)).reset();
  auto const now = std::chrono::steady_clock::now();
  auto& last = last_limit_hit_.at(static_cast<std::size_t>(why));
  if (now - last < kLimitHitInterval) return;
  last = now;
  deps_.sessions.audit.post(audit::LimitHit{std::string(word_of(why)), detail_of(why, client, deps_.gate.rules())});
}

}  // namespace sallyport::proxy
