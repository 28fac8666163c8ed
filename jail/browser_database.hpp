#pragma once
// A certificate database of NSS (cert9.db, an SQLite file) that trusts one authority for servers. Chromium and its relatives read the one in
// ~/.pki/nssdb, also where no managed policy reaches them (browser_trust), and make the key database beside it themselves. Pure; any thread.
// Source: NSS, lib/softoken/sdb.c: a table nssPublic with a row for each PKCS#11 object and a column for each attribute, named after the
// attribute's number; numbers are four bytes, the highest first. Does not cover Firefox, which has a database for each profile.

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace sallyport::jail {

/// The bytes of the file, for `authority`, a certificate in PEM form.
Result<std::string> browser_database(std::string_view authority);

}  // namespace sallyport::jail
