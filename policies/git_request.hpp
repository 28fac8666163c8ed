#pragma once
// What a request asks of a git server over HTTP: smart and dumb protocol. Pure; any thread. Hardened against hostile requests:
// what is not exactly a request that git makes is `other`. Source: gitprotocol-http(5).

#include "policies/canonical_path.hpp"

#include <string_view>

namespace sallyport::policies {

struct GitRequest {
  enum class Kind {
    other,  // not git, or not to be told from something else
    read,   // fetch, clone, ls-remote; the files of the dumb protocol
    write,  // push
  };
  Kind kind = Kind::other;
  std::string_view repo;  // "/group/project", without ".git"; empty of other. Lifetime: that of the path
};

GitRequest git_request_of(std::string_view method, CanonicalPath const& path);

}  // namespace sallyport::policies
