#pragma once
// Bytes for another process: a file in memory that nobody can change any more. Source: memfd_create(2). Any thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <string_view>

namespace sallyport::cli {

/// `name` is what /proc shows.
Result<UniqueFd> sealed_file(char const* name, std::string_view bytes);

}  // namespace sallyport::cli
