#pragma once
// The one form of a request path that is matched, logged and sent. Pure; any thread. Hardened against hostile bytes.

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace sallyport::policies {

/// Path and query of an HTTP request target (RFC 3986 sections 3.3, 3.4, 6.2.2), normalised once:
/// percent-encoded unreserved characters decoded, other escapes in upper case. `%2F` stays encoded, so npm's
/// `/@scope%2fname` is one segment. Errors: dot segments in any spelling, `//`, '\\', control bytes, NUL, raw non-ASCII,
/// bad escapes, overlong UTF-8, escapes of escapes (`%25` followed by two hex digits) in the path, a fragment.
class CanonicalPath {
 public:
  /// `raw` is origin-form: begins with '/'; may have a query.
  static Result<CanonicalPath> from(std::string_view raw);

  std::string const& path() const { return path_; }    // "/simple/requests/"
  std::string const& query() const { return query_; }  // after '?', empty if none
  bool has_query() const { return has_query_; }
  /// path, or path?query: what goes upstream.
  std::string str() const { return has_query_ ? path_ + "?" + query_ : path_; }
  bool operator==(CanonicalPath const&) const = default;

 private:
  CanonicalPath() = default;
  std::string path_;
  std::string query_;
  bool has_query_ = false;
};

}  // namespace sallyport::policies
