#pragma once
// The address a jailed process passes to connect(2) or sendto(2), read from its memory.

#include "jail/process_memory.hpp"
#include "jail/recent_dials.hpp"

#include <cstdint>
#include <optional>

namespace sallyport::jail {

/// Nothing for other families than IPv4 and IPv6.
std::optional<Dial> read_dial(ProcessMemory const& memory, std::uint64_t address);

}  // namespace sallyport::jail
