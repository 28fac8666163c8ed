#include "policies/public_suffix.hpp"

#include <libpsl.h>

namespace sallyport::policies {

bool spans_public_suffix(HostPattern const& pattern) {
  if (pattern.kind == HostPattern::Kind::exact || pattern.kind == HostPattern::Kind::any) return false;
  psl_ctx_t const* const list = ::psl_builtin();
  if (list == nullptr) return true;  // without a list no wildcard is known to be safe
  return ::psl_is_public_suffix2(list, pattern.domain.c_str(), PSL_TYPE_ANY) == 1;
}

}  // namespace sallyport::policies
