#pragma once
// What makes clients in the jail trust the session's certificate authority without anybody's doing: files that are shown over the
// host's, and variables. The host's own roots stay trusted: the authority is added to them. Looks at the host's file system; changes
// nothing, parses no root of the host, and costs less than a millisecond. The lists stand in docs/jail_operation.md.

#include "base/result.hpp"
#include "jail/environment.hpp"
#include "jail/plan.hpp"

#include <string>
#include <vector>

namespace sallyport::jail {

/// A file of the jail, staged as /.sallyport/NAME and shown over each of `places`, which the host has.
struct TrustFile {
  std::string name;
  std::string head;
  FileRange host;  // between head and tail
  std::string tail;
  std::vector<std::string> places;  // absolute, canonical
};

/// A directory of the jail, staged as /.sallyport/NAME and shown over `place`, which the host has.
struct TrustDirectory {
  struct File {
    std::string name;     // relative to the directory
    std::string content;  // or
    FileRange host;       // of the host
  };
  std::string name;
  std::string place;  // absolute, no link
  std::vector<File> files;
};

/// A file in the jail's empty home.
struct HomeFile {
  std::string name;  // relative to the home
  std::string content;
};

struct TrustPack {
  std::vector<TrustFile> files;
  std::vector<TrustDirectory> directories;  // of browsers
  std::vector<HomeFile> home;
  Variables variables;       // set for the command, over the caller's
  std::string java_options;  // behind those of the proxy
};

/// `authority` is the certificate in PEM form. `environment` is the caller's: the files that its variables name for OpenSSL, curl,
/// Node.js and others stay trusted, too. A host without a bundle of roots gets the authority alone.
Result<TrustPack> make_trust_pack(std::string const& authority, Variables const& environment);

}  // namespace sallyport::jail
