#pragma once
// What libseccomp made, as numbers and as C++: for the programs of the build that write seccomp filters down. Not in what is shipped.

#include "base/result.hpp"

#include <seccomp.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sallyport {

/// The BPF program of `filter`, struct sock_filter by struct sock_filter.
Result<std::vector<std::uint64_t>> export_program(scmp_filter_ctx filter);

/// Prints to stdout the source file that defines `std::span<std::uint64_t const> sallyport::<folder>::<name>()`, declared in
/// <folder>/<name>.hpp. Returns main()'s status; an error goes to stderr.
int print_program(Result<std::vector<std::uint64_t>> const& program, std::string_view folder, std::string_view name);

}  // namespace sallyport
