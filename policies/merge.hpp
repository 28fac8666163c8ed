#pragma once
// Layers -> Policy. Pure; any thread. How each part is merged stands in section "Merging" of docs/policy_reference.md.

#include "policies/layer.hpp"

#include <memory>
#include <vector>

namespace sallyport::policies {

/// `layers` in order: what is extended before what extends it, --allow last. Null after a problem was added.
std::shared_ptr<Policy const> merge_layers(std::vector<Layer> layers, Problems& problems);

}  // namespace sallyport::policies
