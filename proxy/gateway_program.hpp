#pragma once
// The gateway's seccomp filter (proxy/gateway_filter) as the BPF program that the kernel takes: struct sock_filter, 8 bytes each.
// Made when Sallyport is built, by proxy/write_gateway_program: making it takes libseccomp a millisecond of every start.

#include <cstdint>
#include <span>

namespace sallyport::proxy {

/// Static storage; any thread.
std::span<std::uint64_t const> gateway_program();

}  // namespace sallyport::proxy
