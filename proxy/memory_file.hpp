#pragma once
// Bytes that the supervisor hands over in a memory file while the gateway runs. Reads a descriptor it was given; opens nothing. Any thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <cstddef>
#include <string>

namespace sallyport::proxy {

/// All of `file`. Code::limit when that is more than `most` bytes.
Result<std::string> read_memory_file(UniqueFd const& file, std::size_t most);

}  // namespace sallyport::proxy
