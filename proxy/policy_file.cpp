#include "proxy/policy_file.hpp"

#include "base/limits.hpp"
#include "policies/bundle.hpp"
#include "proxy/memory_file.hpp"

namespace sallyport::proxy {

Result<std::shared_ptr<policies::Policy const>> read_policy_file(UniqueFd const& bundle) {
  auto const bytes = read_memory_file(bundle, limits::kMaxPolicyBundleBytes);
  if (!bytes) return bytes.error();
  policies::Problems problems;
  auto policy = policies::unpack_policy(*bytes, problems);
  if (policy == nullptr) return Error{Code::invalid, 0, problems.empty() ? "no policy" : to_string(problems.front())};
  return policy;
}

}  // namespace sallyport::proxy
