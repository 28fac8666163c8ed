#include "proxy/listener.hpp"

#include "base/limits.hpp"
#include "proxy/adopt_socket.hpp"
#include "proxy/proxy_header.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

constexpr std::chrono::milliseconds kAcceptPause{50};  // after accept() failed for want of descriptors or memory
constexpr std::chrono::seconds kLimitHitInterval{1};

std::string detail_of(TurnedAway why, std::string const& client, ClientRules const& rules) {
  if (why == TurnedAway::client) return client + " is not among the clients that may connect";
  if (why == TurnedAway::per_client) return "more than " + std::to_string(rules.max_per_client) + " connections at once from " + client;
  return "more than " + std::to_string(rules.max_connections) + " connections at once";
}

awaitable<Result<ProxyHeader>> read_proxy_header(Stream& stream) {
  TimeLimit const limit(stream, limits::kFirstByteTimeout, "PROXY protocol header");
  for (;;) {
    auto step = parse_proxy_header(stream.buffered());
    if (auto* error = std::get_if<Error>(&step)) co_return std::move(*error);
    if (auto* header = std::get_if<ProxyHeader>(&step)) {
      stream.consume(header->bytes);
      co_return std::move(*header);
    }
    auto more = co_await stream.read_more();
    if (!more) co_return more.error();
  }
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
  Stream stream(std::move(socket));
  if (!deps_.gate.is_balancer(origin->address)) return admit(std::move(stream), *std::move(origin));
  bool const too_many = deps_.live.size() >= deps_.gate.rules().max_connections;  // those that still say who they are have no ticket
  if (!too_many) return deps_.live.start(greet(std::move(stream), *std::move(origin)));
  deps_.gate.count(TurnedAway::total);
  turn_away(std::move(stream), TurnedAway::total, detail_of(TurnedAway::total, {}, deps_.gate.rules()));
}

awaitable<void> Listener::greet(Stream stream, ClientOrigin origin) {
  auto const header = co_await read_proxy_header(stream);
  if (!header) {
    deps_.gate.count(TurnedAway::no_header);
    co_return turn_away(std::move(stream), TurnedAway::no_header,
                        "the PROXY protocol header of a connection from " + origin.flow.local_address + ": " + header.error().what);
  }
  if (header->client) {
    origin.address = header->client->address;
    origin.flow.local_address = header->client->address.to_string();
    origin.flow.local_port = header->client->port;
  }
  admit(std::move(stream), std::move(origin));
}

void Listener::admit(Stream stream, ClientOrigin origin) {
  auto ticket = deps_.gate.admit(origin.flow.local_address, origin.address);
  if (!ticket) {
    auto const detail = detail_of(ticket.error(), origin.flow.local_address, deps_.gate.rules());
    return turn_away(std::move(stream), ticket.error(), detail);
  }
  auto* const tenant = deps_.tenants.of(deps_.owner, origin.address);
  if (tenant == nullptr) {
    deps_.gate.count(TurnedAway::client);
    return turn_away(std::move(stream), TurnedAway::client, origin.flow.local_address + " is no client of the tenant whose listener this is");
  }
  std::optional<Peer> dialled;
  if (door_ == Door::transparent) dialled = deps_.destinations.of(stream.socket().native_handle());
  if (dialled) {
    origin.flow.remote_address = dialled->address.to_string();
    origin.flow.remote_port = dialled->port;
  }
  Arrival arrival{Client{std::move(stream), std::move(origin.flow), tenant->name()}, door_, dialled, std::move(*ticket)};
  deps_.live.start(run_session(std::move(arrival), tenant->session_deps()));
}

void Listener::turn_away(Stream stream, TurnedAway why, std::string const& detail) {
  stream.reset();
  auto const now = std::chrono::steady_clock::now();
  auto& last = last_limit_hit_.at(static_cast<std::size_t>(why));
  if (now - last < kLimitHitInterval) return;
  last = now;
  deps_.tenants.audit().post(audit::LimitHit{std::string(word_of(why)), detail});
}

}  // namespace sallyport::proxy
