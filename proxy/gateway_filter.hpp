#pragma once
// The gateway's seccomp filter: what confine() refuses, as a table. Used when Sallyport is built: proxy/gateway_program has the result.

#include "base/result.hpp"

#include <cstdint>
#include <vector>

namespace sallyport::proxy {

Result<std::vector<std::uint64_t>> build_gateway_filter();

}  // namespace sallyport::proxy
