#pragma once
// The gateway's seccomp filter: what confine() refuses, as a table.

#include "base/result.hpp"

namespace sallyport::proxy {

/// Loads the filter into this process. REQUIRES: no_new_privs.
Result<void> load_gateway_filter();

}  // namespace sallyport::proxy
