#pragma once
// Name resolution for targets the policy allows. A seam: the product asks c-ares, tests answer from a table.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "policies/allowed.hpp"

#include <vector>

namespace sallyport::proxy {

class Resolver {
 public:
  virtual ~Resolver() = default;
  /// All IPv4 and IPv6 addresses of the target; the target's own address if it is one. An empty list only when the upstream proxy looks it up.
  /// It takes a permission, so a name is looked up only after it was allowed. Cancel-safe.
  virtual awaitable<Result<std::vector<policies::IpAddress>>> resolve(policies::AllowedTarget target) = 0;
};

}  // namespace sallyport::proxy
