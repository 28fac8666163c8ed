#pragma once
// What an OCI runtime tells a hook: the container's state, and the part of its bundle's config.json that matters here. Pure parsing of
// text from a trusted runtime. Sources: OCI Runtime Specification 1.0, sections "State", "POSIX-platform Hooks", "Process".

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sallyport::cli {

/// The container's annotations that are for us.
inline constexpr char kPolicyAnnotation[] = "io.sallyport.policy";  // preset names and policy files, separated by commas
inline constexpr char kAllowAnnotation[] = "io.sallyport.allow";    // HOST[:PORT], separated by commas
inline constexpr char kPlaceholderAnnotation[] = "io.sallyport.placeholders";  // NAME=TEXT, separated by commas
inline constexpr char kCaOutAnnotation[] = "io.sallyport.ca-out";   // where the session's certificate is written, as the host sees it

struct OciState {
  std::string id;
  std::string status;  // creating or created: before its program runs; stopped: after it ended
  pid_t pid = 0;       // 0 when it has ended
  std::string bundle;
  std::vector<std::string> policies;  // empty: no annotation, none of our business
  std::vector<std::string> allow;
  std::vector<std::string> placeholders;
  std::string ca_out;
};
Result<OciState> parse_oci_state(std::string_view json);

/// Error unless the container described by this config.json has a network namespace of its own and not the capability NET_ADMIN.
Result<void> check_oci_config(std::string_view json);

}  // namespace sallyport::cli
