#pragma once
// How long clients and servers may take. What an operator may set; the other bounds stand in base/limits.hpp. Values.

#include "base/limits.hpp"

#include <chrono>

namespace sallyport::proxy {

struct Timeouts {
  std::chrono::milliseconds head = limits::kHeadTimeout;             // from the first byte of a request head or ClientHello to its end
  std::chrono::milliseconds keep_alive = limits::kKeepAliveTimeout;  // between the requests of a client's connection
  std::chrono::milliseconds idle = limits::kIdleTimeout;             // a tunnel or an exchange in which nothing moves
};

}  // namespace sallyport::proxy
