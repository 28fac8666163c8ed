#include "proxy/net_address.hpp"

namespace sallyport::proxy {

policies::IpAddress from_asio(asio::ip::address const& address) {
  if (address.is_v4()) return policies::IpAddress::from_v4(address.to_v4().to_bytes());
  return policies::IpAddress::from_v6(address.to_v6().to_bytes());
}

asio::ip::address to_asio(policies::IpAddress const& address) {
  if (address.is_v4()) return asio::ip::address_v4(address.v4_bytes());
  return asio::ip::address_v6(address.bytes());
}

audit::Flow flow_of(std::string protocol, Peer const& local, Peer const& remote) {
  return audit::Flow{std::move(protocol), local.address.to_string(), local.port, remote.address.to_string(), remote.port};
}

}  // namespace sallyport::proxy
