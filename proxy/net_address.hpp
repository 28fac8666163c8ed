#pragma once
// Addresses between the three vocabularies: policies::IpAddress, Asio, and the audit log's Flow. Pure; any thread.

#include "audit/event.hpp"
#include "base/asio.hpp"
#include "policies/address_class.hpp"

#include <cstdint>

namespace sallyport::proxy {

/// One end of a connection.
struct Peer {
  policies::IpAddress address;
  std::uint16_t port = 0;
};

/// A v4-mapped IPv6 address becomes the IPv4 address.
policies::IpAddress from_asio(asio::ip::address const& address);
asio::ip::address to_asio(policies::IpAddress const& address);

/// `local` is the jailed socket, `remote` what it dialled or sent to.
audit::Flow flow_of(std::string protocol, Peer const& local, Peer const& remote);

}  // namespace sallyport::proxy
