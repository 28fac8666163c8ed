#pragma once
// The jail's seccomp filter (jail/seccomp_filter) as the BPF program that the kernel takes: struct sock_filter, 8 bytes each.
// Made when Sallyport is built, by jail/write_seccomp_program: making it takes libseccomp a millisecond of every start.

#include <cstdint>
#include <span>

namespace sallyport::jail {

/// Static storage; any thread.
std::span<std::uint64_t const> seccomp_program();

}  // namespace sallyport::jail
