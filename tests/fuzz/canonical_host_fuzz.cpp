// Any bytes: no crash, and what is accepted is stable, bounded and made of the bytes a host may have.

#include "base/limits.hpp"
#include "policies/canonical_host.hpp"

#include <cstdint>
#include <string_view>

using sallyport::policies::CanonicalHost;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const host = CanonicalHost::from({reinterpret_cast<char const*>(data), size});
  if (!host) return 0;
  auto const& text = host->str();
  if (text.empty() || text.size() > sallyport::limits::kMaxHostBytes) __builtin_trap();
  if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.:") != std::string::npos) __builtin_trap();
  if (!host->is_address() && text.find(':') != std::string::npos) __builtin_trap();
  auto const again = CanonicalHost::from(text);
  auto const from_authority = CanonicalHost::from(host->authority());
  if (!again || *again != *host || !from_authority || *from_authority != *host) __builtin_trap();
  return 0;
}
