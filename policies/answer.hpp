#pragma once
// What a whole request comes to, for people who ask before they send it: the decisions that the proxy makes one after the other.
// Pure; any thread.

#include "policies/engine.hpp"

namespace sallyport::policies {

/// The verdict on `request`. Scheme::https goes the way the proxy goes: the tunnel first; then the request if rules want TLS opened
/// for this host, and else TLS or raw bytes as such, whose method and path nobody sees. Other schemes are decided as they are.
Verdict answer(Engine const& engine, Request const& request);

}  // namespace sallyport::policies
