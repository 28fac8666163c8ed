#pragma once
// Where names that belong to strangers begin: at and above public suffixes. Pure; any thread.

#include "policies/host_pattern.hpp"

#include <string>
#include <string_view>

namespace sallyport::policies {

/// True for a wildcard directly below a public suffix ("*.com", "**.co.uk", "a*.github.io"): anybody can register a name
/// that matches. Source: the Public Suffix List as built into libpsl; a single label it does not list counts as a suffix.
bool spans_public_suffix(HostPattern const& pattern);

/// The part of a canonical name that somebody registered ("example.co.uk" of "a.b.example.co.uk"). Of a name that is one,
/// what stands behind its first label; the whole of a single label. The same source; the result points into `name`.
std::string_view registered_part(std::string const& name);

}  // namespace sallyport::policies
