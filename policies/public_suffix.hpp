#pragma once
// Whether a host pattern spans names that belong to strangers. Pure; any thread.

#include "policies/host_pattern.hpp"

namespace sallyport::policies {

/// True for a wildcard directly below a public suffix ("*.com", "**.co.uk", "a*.github.io"): anybody can register a name
/// that matches. Source: the Public Suffix List as built into libpsl; a single label it does not list counts as a suffix.
bool spans_public_suffix(HostPattern const& pattern);

}  // namespace sallyport::policies
