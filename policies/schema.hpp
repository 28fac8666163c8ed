#pragma once
// The JSON Schema of policy files, as docs/policy.schema.json has it; compiled in. Any thread.

#include <string_view>

namespace sallyport::policies {

std::string_view policy_schema();

}  // namespace sallyport::policies
