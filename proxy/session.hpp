#pragma once
// One client connection, from its first byte to its end. The legs differ in how the target is learnt, and in nothing else.

#include "proxy/client.hpp"
#include "proxy/client_gate.hpp"
#include "proxy/net_address.hpp"

#include <optional>

namespace sallyport::proxy {

enum class Door {
  explicit_proxy,  // the client knows that it speaks to a proxy: HTTP or SOCKS5
  transparent,     // the client dialled some address and was redirected
  sni,             // the client means port 443 of the name in its ClientHello
};

struct Arrival {
  Client client;
  Door door = Door::explicit_proxy;
  std::optional<Peer> dialled;  // where a redirected client meant to go; empty if the kernel does not know
  ClientGate::Ticket ticket{};  // its place among the connections
};

/// Serves the connection and closes it. An exception is a deny: it is recorded as internal_error, and the client is reset.
/// Thread: its worker's. Lifetime: `deps` outlives it.
awaitable<void> run_session(Arrival arrival, SessionDeps deps);

}  // namespace sallyport::proxy
