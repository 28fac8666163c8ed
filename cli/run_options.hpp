#pragma once
// What `sallyport run` was asked for. Values; any thread.

#include "cli/session_options.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::cli {

struct RunOptions {
  std::vector<std::string> policies;
  std::vector<std::string> allow;
  std::vector<policies::Pin> pins;
  UpstreamOptions upstream;
  std::vector<std::string> ca_bundles;               // PEM files of authorities to trust besides the system's
  std::string workspace;                             // empty: the working directory
  std::string audit;                                 // empty: the default place
  std::string as;                                    // --as USER, empty if not given
  std::optional<std::chrono::milliseconds> timeout;
  std::vector<std::string> command;
};

}  // namespace sallyport::cli
