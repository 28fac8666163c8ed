#include "policies/public_suffix.hpp"

#include <libpsl.h>

namespace sallyport::policies {

bool spans_public_suffix(HostPattern const& pattern) {
  if (pattern.kind == HostPattern::Kind::exact || pattern.kind == HostPattern::Kind::any) return false;
  psl_ctx_t const* const list = ::psl_builtin();
  if (list == nullptr) return true;  // without a list no wildcard is known to be safe
  return ::psl_is_public_suffix2(list, pattern.domain.c_str(), PSL_TYPE_ANY) == 1;
}

std::string_view registered_part(std::string const& name) {
  psl_ctx_t const* const list = ::psl_builtin();
  char const* const registered = list == nullptr ? nullptr : ::psl_registrable_domain(list, name.c_str());
  if (registered != nullptr && registered != name.c_str())
    return std::string_view(name).substr(static_cast<std::size_t>(registered - name.c_str()));
  auto const dot = name.find('.');
  return dot == std::string::npos ? std::string_view(name) : std::string_view(name).substr(dot + 1);
}

}  // namespace sallyport::policies
