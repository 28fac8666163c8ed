#include "proxy/server_link.hpp"

#include "proxy/http1_requester.hpp"
#include "proxy/http2_requester.hpp"

namespace sallyport::proxy {

std::optional<policies::IpAddress> const& ServerLink::address() const {
  if (auto const* http1 = std::get_if<Upstream>(&connection_)) return http1->address;
  return std::get<std::shared_ptr<Http2Upstream>>(connection_)->address();
}

bool ServerLink::is_forwarded() const {
  auto const* http1 = std::get_if<Upstream>(&connection_);
  return http1 != nullptr && http1->forwarder != nullptr;
}

std::unique_ptr<Requester> ServerLink::requester() {
  if (auto* http1 = std::get_if<Upstream>(&connection_)) return std::make_unique<Http1Requester>(http1->stream, http1->forwarder.get());
  return std::make_unique<Http2Requester>(std::get<std::shared_ptr<Http2Upstream>>(connection_));
}

}  // namespace sallyport::proxy
