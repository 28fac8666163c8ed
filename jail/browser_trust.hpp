#pragma once
// Chromium and its relatives bring roots of their own and read no bundle; they trust what a managed policy names. Looks at
// the host's file system, changes nothing. Source: Chrome Enterprise policy list, CACertificates (Chromium 127 on); the
// directories are those of "Set up Chrome on Linux" and of each vendor. Does not help a browser whose directory in /etc the
// host does not have (nothing can be put there; browser_database is for those), an older one, or Firefox.

#include "jail/trust_pack.hpp"

#include <string>
#include <vector>

namespace sallyport::jail {

/// For each browser whose directory `etc` ("/etc") has: that directory as it is, with a policy that trusts `authority`
/// (PEM). One that holds more than a few small files that everybody may read is left out.
std::vector<TrustDirectory> browser_trust(std::string const& etc, std::string const& authority);

}  // namespace sallyport::jail
