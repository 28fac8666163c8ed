#pragma once
// Where a redirected connection was meant to go. A seam: the kernel knows it only behind a redirect rule.

#include "proxy/net_address.hpp"

#include <optional>

namespace sallyport::proxy {

class OriginalDestination {
 public:
  virtual ~OriginalDestination() = default;
  /// Of an accepted socket; nothing if it was not redirected. Thread: its worker's.
  virtual std::optional<Peer> of(int fd) const = 0;
};

/// SO_ORIGINAL_DST and IP6T_SO_ORIGINAL_DST, answered by the connection tracking of the socket's network namespace.
class KernelOriginalDestination final : public OriginalDestination {
 public:
  std::optional<Peer> of(int fd) const override;
};

}  // namespace sallyport::proxy
