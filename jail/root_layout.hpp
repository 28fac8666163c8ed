#pragma once
// The steps that build the jail's root file system, in order. Looks at the host; changes nothing.

#include "base/result.hpp"
#include "jail/plan.hpp"
#include "jail/planner.hpp"
#include "jail/trust_pack.hpp"
#include "policies/policy.hpp"

#include <string>
#include <vector>

namespace sallyport::jail {

/// System directories read-only; private /tmp, /dev, /proc; hidden home with the PATH entries under it; the trust pack; the workspace;
/// the policy's filesystem section; name service files of the jail.
Result<std::vector<MountStep>> lay_out_root(PlanRequest const& request, policies::Policy const& policy, TrustPack trust);

}  // namespace sallyport::jail
