#pragma once
// What can be computed over a token that a pattern matched: checksums and structures. Pure; any thread.
// Sources: github.blog 2021-04-05 (GitHub, npm); GitLab's routable token design; BIP-13 and BIP-32 (base58check); BIP-173
// (bech32); RFC 7519 (JWT); RFC 7468 (PEM); ISO/IEC 7812 (Luhn); ISO 13616 (IBAN).

#include "dlp/detector.hpp"

#include <string_view>

namespace sallyport::dlp {

enum class CheckResult {
  none,        // nothing to compute: the pattern alone speaks
  passed,      // no doubt is left
  look_alike,  // the right shape with a wrong checksum: never dropped, a changed token is a way to smuggle one
  rejected,    // not a secret
};

CheckResult run_check(Check check, std::string_view token);

}  // namespace sallyport::dlp
